import { afterAll, beforeAll, expect, test } from 'vitest'
import { schedulesOf } from '../src/features/feature.ts'
import { features } from '../src/features/index.ts'
import { createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
beforeAll(async () => {
  panel = await createTestPanel()
})
afterAll(() => panel?.close())

// Each job costs several commits: one that an idle panel makes each minute needs a reason to be here.
test('of the jobs that are made at least once a minute, an installation without sites makes two', async () => {
  const { config, db } = panel.deps
  const ada = await panel.signUp('ada')
  await ada.createProject()
  const schedules = features.flatMap((feature) => schedulesOf(feature, config))
  const made: string[] = []
  for (const { queue, everySeconds, isNeeded } of schedules)
    if (everySeconds !== undefined && everySeconds <= 60 && (!isNeeded || (await isNeeded(db)))) made.push(queue)
  expect(made.toSorted()).toEqual(['metrics.record', 'nodes.check'])
})
