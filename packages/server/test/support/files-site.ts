import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Deployment } from '@panel/contract/deployments'
import type { Project } from '@panel/contract/projects'
import { users } from '../../src/db/schema/users.ts'
import { runQueue } from '../../src/features/deployments/deployment-runner.jobs.ts'
import type { BuildTask, ImageBuilder } from '../../src/infra/image-builder/image-builder.ts'
import { madeZip } from '../fixtures/archive.fixture.ts'
import { createMemoryEngine, type MemoryContainerEngine } from '../fakes/memory-container-engine.ts'
import { type Client, createTestPanel, type TestPanel } from './panel.ts'

/** A panel, and in each test a new project that is served from its files. */
export const world = { built: [] as BuildTask[], aheadMs: 0 } as {
  engine: MemoryContainerEngine
  panel: TestPanel
  ann: Client
  id: string
  built: BuildTask[]
  /** Of the panel's clock. */
  aheadMs: number
}

export function useFilesSites(): void {
  beforeAll(async () => {
    world.engine = createMemoryEngine()
    const builder: ImageBuilder = {
      build: async (task) => {
        world.built.push(task)
        await world.engine.pullImage(task.tag, () => {})
        return {
          imageId: task.tag,
          port: 8080,
          readOnlyRoot: true,
          filesAt: '/srv',
          servesFiles: true,
          description: 'x'
        }
      },
      detect: () => Promise.reject(new Error('not called'))
    }
    const now = () => new Date(Date.now() + world.aheadMs)
    world.panel = await createTestPanel({}, { builder, engine: world.engine, now })
    world.ann = await world.panel.signUp('ann')
  })
  afterAll(() => world.panel.close())
  beforeEach(async () => {
    world.built = []
    world.aheadMs = 0
    world.engine.afterStart = () => {}
    world.id = (await world.ann.createProject({ type: 'STATIC', source: 'FILES' })).id
  })
}

const worker = {
  lease: { workerId: 1 },
  signal: new AbortController().signal,
  buildNetworks: { acquire: async () => ({ name: 'n', release: async () => {} }) }
}
export const work = async () => {
  await runQueue(world.panel.deps, worker, 'build')
  await runQueue(world.panel.deps, worker, 'image')
}
export const folder = (...names: string[]) => join(world.panel.deps.config.PROJECTS_DIR, 'by-id', world.id, ...names)
export const put = async (path: string, content: string) => {
  await mkdir(join(folder(path), '..'), { recursive: true })
  await writeFile(folder(path), content)
}
export const page = () => readFile(folder('index.html'), 'utf8')
export const get = async (deployment: Pick<Deployment, 'id'>) =>
  (await world.ann.request('GET', `/api/projects/${world.id}/deployments/${deployment.id}`)).json<Deployment>()
export const list = async () =>
  (await world.ann.request('GET', `/api/projects/${world.id}/deployments?logs=false`)).json<{
    deployments: Deployment[]
  }>().deployments
export async function snapshot(): Promise<Deployment> {
  const { id: deployment } = (await world.ann.request('POST', `/api/projects/${world.id}/build`)).json<Deployment>()
  await work()
  return get({ id: deployment })
}
export const upload = (archive: Buffer, type = 'application/zip', by = world.ann) =>
  by.request('POST', `/api/projects/${world.id}/uploads?folder=site.zip`, archive, { 'content-type': type })
export const zip = (files: Record<string, string>) =>
  madeZip(Object.entries(files).map(([name, content]) => ({ name, content })))
export const rollBack = async (to: Pick<Deployment, 'id'>) => {
  const answer = await world.ann.request('POST', `/api/projects/${world.id}/deployments/${to.id}/rollback`)
  expect(answer.statusCode).toBe(202)
  await work()
  return get(answer.json())
}
export const live = async () => (await world.ann.request('GET', `/api/projects/${world.id}`)).json<Project>()
export const kept = async () => {
  const [row] = await world.panel.deps.db.select().from(users).where(eq(users.id, world.ann.user.id))
  return readdir(join(world.panel.deps.config.PROJECTS_DIR, 'snapshots', String(row!.uid), world.id)).catch(() => [])
}
