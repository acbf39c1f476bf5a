import { afterAll, beforeAll, expect, test } from 'vitest'
import { forwardingSecrets } from '../src/security/program-secrets.ts'
import { createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
beforeAll(async () => {
  panel = await createTestPanel()
})
afterAll(() => panel.close())

const at = (day: number) => forwardingSecrets({ ...panel.deps, now: () => new Date(Date.UTC(2026, 0, 1 + day)) })
const allAt = (day: number) => Promise.all(Array.from({ length: 8 }, () => at(day)))

test('processes started at once share the secrets, also on rotation', async () => {
  const [first, ...others] = await allAt(0)
  expect(first).toEqual([expect.stringMatching(/^[0-9a-f]{48}$/)])
  for (const each of others) expect(each).toEqual(first)
  const [second, ...rest] = await allAt(181)
  expect(second).toEqual([expect.not.stringMatching(first![0]!), first![0]])
  for (const each of rest) expect(each).toEqual(second)
  expect(await at(182)).toEqual(second)
})
