import { eq } from 'drizzle-orm'
import type { Project, ProjectList } from '@panel/contract/projects'
import type { WordpressTask } from '@panel/contract/wordpress-care'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountNetworks } from '../src/db/schema/account-networks.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { users } from '../src/db/schema/users.ts'
import { syncAllRules } from '../src/features/domains/rules.service.ts'
import { projectDirectory } from '../src/process/paths.ts'
import type { MemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import type { MemoryServerDisk } from './fakes/memory-server-disk.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let owner: Client
let site: Project
beforeAll(async () => {
  panel = await createTestPanel()
  owner = await panel.signUp()
  site = await owner.createProject({ type: 'WORDPRESS' })
  await panel.deps.db.update(projects).set({ containerId: 'running' }).where(eq(projects.id, site.id))
})
afterAll(() => panel?.close())

const createStaging = () => owner.request('POST', `/api/projects/${site.id}/wordpress/staging`, {})
const listNames = async () =>
  (await owner.request('GET', '/api/projects')).json<ProjectList>().projects.map(({ name }) => name)

test('a staging copy that fails or is killed before it is complete leaves no project', async () => {
  const { jobs } = panel.deps
  const { enqueue } = jobs
  jobs.enqueue = async (trx, queue, ...rest) => {
    if (queue === 'wordpress.task') throw new Error('killed')
    return enqueue(trx, queue, ...rest)
  }
  try {
    expect((await createStaging()).statusCode).toBe(500)
  } finally {
    jobs.enqueue = enqueue
  }
  expect(await listNames()).toEqual([site.name])
  expect(await panel.deps.db.$count(deployments)).toBe(0)
})

test('a copy that does not fit is refused before anything is made', async () => {
  const { sizes } = panel.deps.serverDisk as MemoryServerDisk
  await panel.deps.db.update(users).set({ maxDiskMb: 100 }).where(eq(users.id, owner.user.id))
  const files = `${projectDirectory(panel.deps.config, site.id)}/`
  sizes.set(files, 101 * 2 ** 20)
  const answer = await createStaging()
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'QUOTA_EXCEEDED'])
  expect(await listNames()).toEqual([site.name])
  sizes.delete(files)
})

test('requests from the networks of the account pass the login of a copy', async () => {
  const { db, nodeId, proxy } = panel.deps
  const { ruleSets } = proxy as MemoryReverseProxy
  const { projectId } = (await createStaging()).json<WordpressTask>()
  expect(ruleSets.get(projectId)).toMatchObject({ rules: [{ kind: 'LOGIN' }, { kind: 'HEADER' }], passLogins: [] })
  const other = await panel.createUser(owner)
  const uidOf = async ({ user }: Client) => (await db.select().from(users).where(eq(users.id, user.id)))[0]!.uid
  await db.insert(accountNetworks).values([
    { nodeId, number: 1, uid: await uidOf(owner), subnet: '10.9.0.0/27' },
    { nodeId, number: 2, uid: await uidOf(other), subnet: '10.9.0.32/27' },
    { nodeId, number: 3, uid: await uidOf(owner), subnet: '10.9.0.64/27' }
  ])
  await syncAllRules(panel.deps)
  expect(ruleSets.get(projectId)?.passLogins).toEqual(['10.9.0.0/27', '10.9.0.64/27'])
})
