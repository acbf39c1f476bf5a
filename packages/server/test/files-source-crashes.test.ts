import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Deployment } from '@panel/contract/deployments'
import { deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { settlePlacements } from '../src/features/snapshots/placement.service.ts'
import { removeStraySnapshots } from '../src/features/snapshots/snapshot-removal.service.ts'
import { BuildError } from '../src/infra/image-builder/image-builder.ts'
import {
  folder,
  get,
  kept,
  page,
  put,
  snapshot,
  upload,
  useFilesSites,
  work,
  world,
  zip
} from './support/files-site.ts'

useFilesSites()

test('a deployment that was killed after the exchange gets the previous files back, at any point', async () => {
  await put('index.html', 'one')
  await snapshot()
  world.engine.afterStart = () => {
    throw new BuildError('killed')
  }
  const { hostHelper } = world.panel.deps
  const replaced: string[][] = []
  const { replaceProject } = hostHelper
  let calls = 0
  hostHelper.replaceProject = async (uid, project, staged, previous) => {
    replaced.push([staged, previous])
    if (++calls === 2) throw new Error('killed while it is undone')
    await replaceProject(uid, project, staged, previous)
  }
  const answer = await upload(zip({ 'index.html': 'zip' }))
  await work()
  hostHelper.replaceProject = replaceProject
  world.engine.afterStart = () => {}
  expect([(await get(answer.json())).status, await page()]).toEqual(['FAILED', 'zip'])
  await settlePlacements(world.panel.deps, world.id)
  expect([await page(), replaced.length]).toEqual(['one', 2])
  expect(await settlePlacements(world.panel.deps, world.id)).toBe(false)
  expect(await page()).toBe('one')
})

test('previous files are removed a minute after a deployment', async () => {
  await put('index.html', 'one')
  const { id: deployment } = (await upload(zip({ 'index.html': 'zip' }))).json<Deployment>()
  await work()
  const staged = async () =>
    (await readdir(join(world.panel.deps.config.PROJECTS_DIR, 'staging'))).filter((name) => name.includes(deployment))
  expect([await settlePlacements(world.panel.deps), (await staged()).length]).toEqual([true, 1])
  world.aheadMs = 120_000
  expect([await settlePlacements(world.panel.deps), await staged()]).toEqual([false, []])
})

test('snapshots go with their images, and with the project', async () => {
  await put('index.html', 'one')
  const first = await snapshot()
  const second = await snapshot()
  expect(await kept()).toEqual([first.id, second.id])
  await removeStraySnapshots(world.panel.deps)
  expect(await kept()).toHaveLength(2)
  await world.panel.deps.db
    .update(deployments)
    .set({ image: null, imageSpec: null })
    .where(eq(deployments.id, first.id))
  await removeStraySnapshots(world.panel.deps)
  expect(await kept()).toEqual([second.id])
  expect(
    (await world.ann.request('POST', `/api/projects/${world.id}/deployments/${first.id}/rollback`)).json().code
  ).toBe('IMAGE_NOT_KEPT')
  await world.panel.deps.db
    .update(projects)
    .set({ status: 'DELETED', deletedAt: sql`now()` })
    .where(eq(projects.id, world.id))
  await removeStraySnapshots(world.panel.deps)
  expect(await kept()).toEqual([])
  await rm(folder(), { recursive: true, force: true })
})
