import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NotificationList } from '@panel/contract/notifications'
import type { Overview } from '@panel/contract/overview'
import { deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { recordOutOfMemory } from '../src/features/container-memory/out-of-memory.service.ts'
import { readLogs } from '../src/features/deployments/deployments.repository.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { deployedSite } from './support/deployed-site.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const small = { memoryMb: 256, cpus: 0.5, pids: 256 }
const large = { memoryMb: 1024, cpus: 2, pids: 512 }
const kept = { image: 'panel-x:1', imageSpec: { port: 80, readOnlyRoot: true, volumes: [] } }

let panel: TestPanel
let admin: Client
let ann: Client
let engine: MemoryContainerEngine
beforeEach(async () => {
  engine = createMemoryEngine()
  panel = await createTestPanel({ DEPLOY_MEMORY_LIMIT: '128m', DEPLOY_CPU_LIMIT: '1' }, { engine })
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
})
afterEach(() => panel.close())

const update = (id: string, body: object, by = ann) => by.request('PUT', `/api/projects/${id}`, body)
const codeOf = (answer: Awaited<ReturnType<typeof update>>) =>
  answer.statusCode < 300 ? answer.statusCode : [answer.statusCode, answer.json<{ code: string }>().code]
const limit = (quotas: object, of = ann) => admin.request('PATCH', `/api/users/${of.user.id}/quotas`, quotas)
const queued = async (id: string) =>
  (await panel.deps.db.select().from(deployments).where(eq(deployments.projectId, id))).filter(
    ({ status }) => status === 'QUEUED'
  )

async function keptSite() {
  const site = await deployedSite(panel, ann, engine)
  await panel.deps.db.update(deployments).set(kept).where(eq(deployments.projectId, site.id))
  return site
}

test('a new WordPress project has 384 MB if its account has room for that, unless its owner chose', async () => {
  const sizeOf = async (values: object) => (await ann.createProject({ type: 'WORDPRESS', ...values })).size
  expect(await sizeOf({ name: 'wp-one' })).toEqual({ memoryMb: 384, cpus: 1, pids: 256, diskMb: null })
  expect(await sizeOf({ name: 'wp-two', size: null })).toBeNull()
  await limit({ maxMemoryMb: 384 + 128 + 256 })
  expect(await sizeOf({ name: 'wp-three' })).toBeNull()
})

describe('a change of the size', () => {
  test('deploys the running image again, once', async () => {
    const { id } = await keptSite()
    expect((await update(id, { size: large })).json()).toMatchObject({ size: large })
    await update(id, { size: large })
    expect(await queued(id)).toMatchObject([{ trigger: 'DEPLOY', image: kept.image }])
  })

  test('is possible while the container has taken over and its deployment has not ended', async () => {
    const { id } = await keptSite()
    await panel.deps.db.update(deployments).set({ status: 'DEPLOYING' }).where(eq(deployments.projectId, id))
    expect(codeOf(await update(id, { size: large }))).toBe(200)
    expect(await queued(id)).toMatchObject([{ trigger: 'DEPLOY', image: kept.image }])
  })

  test('gives a stopped container the new limits without starting it', async () => {
    const { id, containerId } = await keptSite()
    await panel.deps.db.update(projects).set({ status: 'STOPPED' }).where(eq(projects.id, id))
    await update(id, { size: small })
    expect(engine.containers.get(containerId)!.spec).toMatchObject({ memoryBytes: 256 * 2 ** 20, cpus: 0.5, pids: 256 })
    expect(await queued(id)).toEqual([])
  })

  test.each([{ ...small, memoryMb: 16 }, { ...small, cpus: 0 }, { ...small, pids: 1_000_000 }, { cpus: 1 }])(
    '%j is refused',
    async (size) => {
      const { id } = await ann.createProject()
      expect((await update(id, { size })).statusCode).toBe(400)
    }
  )

  test('of a project of someone else is refused', async () => {
    const { id } = await ann.createProject()
    expect((await update(id, { size: small }, admin)).statusCode).toBe(403)
  })
})

describe('quotas', () => {
  test('bound the sum over all projects, with the default of the server for those without a size', async () => {
    await limit({ maxMemoryMb: 512 })
    const { id } = await ann.createProject()
    await ann.createProject()
    expect(codeOf(await update(id, { size: { ...small, memoryMb: 384 } }))).toBe(200)
    expect(codeOf(await update(id, { size: { ...small, memoryMb: 385 } }))).toEqual([403, 'QUOTA_EXCEEDED'])
    const third = await ann.request('POST', '/api/projects', { name: 'third', type: 'STATIC' })
    expect(codeOf(third)).toEqual([403, 'QUOTA_EXCEEDED'])
  })

  test('refuse nothing where they are not set, and never a smaller size', async () => {
    const { id } = await ann.createProject({ size: large })
    expect(codeOf(await update(id, { size: { ...large, cpus: 3 } }))).toBe(200)
    await limit({ maxCpus: 1 })
    expect(codeOf(await update(id, { size: large }))).toBe(200)
    expect(codeOf(await update(id, { size: { ...large, cpus: 2.5 } }))).toEqual([403, 'QUOTA_EXCEEDED'])
  })

  test('of a reseller bound all sub-accounts together', async () => {
    const reseller = await panel.createUser(admin, { role: 'RESELLER', maxMemoryMb: 1024 })
    const [one, two] = [await panel.createUser(reseller), await panel.createUser(reseller)]
    expect(one.user).toMatchObject({ maxMemoryMb: 1024 })
    await one.createProject({ size: { ...small, memoryMb: 800 } })
    const { id } = await two.createProject()
    expect(codeOf(await update(id, { size: small }, two))).toEqual([403, 'QUOTA_EXCEEDED'])
    const above = await reseller.request('PATCH', `/api/users/${two.user.id}/quotas`, { maxMemoryMb: 2048 })
    expect(codeOf(above)).toEqual([403, 'OVERSELL_NOT_ENABLED'])
  })
})

test('an out-of-memory kill is named in the log, in one notification and in what needs attention', async () => {
  const { id, containerId } = await keptSite()
  engine.containers.get(containerId)!.state.memoryBytes = 256 * 2 ** 20
  await recordOutOfMemory(panel.deps, containerId)
  await recordOutOfMemory(panel.deps, containerId)
  const { notifications } = (await ann.request('GET', '/api/notifications')).json<NotificationList>()
  expect(notifications).toMatchObject([{ kind: 'container-out-of-memory', link: `/projects/${id}/settings` }])
  expect(notifications[0]!.text).toContain('256 MB')
  const [live] = await panel.deps.db.select().from(deployments).where(eq(deployments.projectId, id))
  expect((await readLogs(panel.deps.db, [live!.id], 65_536)).get(live!.id)!.match(/256 MB/g)).toHaveLength(1)
  const { items } = (await ann.request('GET', '/api/overview')).json<Overview>()
  expect(items).toMatchObject([{ code: 'CONTAINER_OUT_OF_MEMORY', targetId: id, detail: '256' }])
})
