import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Deployment } from '@panel/contract/deployments'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { trimAllLogs } from '../src/features/deployments/log-retention.jobs.ts'
import { appendLog } from '../src/features/deployments/deployments.repository.ts'
import { BuildError, type BuildTask } from '../src/infra/image-builder/image-builder.ts'
import { purgeProject } from '../src/features/projects/purge.jobs.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const kilobyte = `${'x'.repeat(1023)}\n`
const output = 60

let panel: TestPanel
let ann: Client
let bob: Client
beforeAll(async () => {
  const build = async ({ onLog }: BuildTask) => {
    for (let i = 0; i < output; i++) onLog(kilobyte)
    throw new BuildError('as it was told')
  }
  panel = await createTestPanel(
    { BUILD_LOGS_KEPT: '3', ACCOUNT_LOG_LIMIT: '256k' },
    { builder: { build, detect: () => Promise.reject(new Error('nothing asks here')) } }
  )
})
beforeEach(async () => {
  await panel.empty()
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())

const worker = () => ({
  lease: { workerId: 1 },
  signal: new AbortController().signal,
  buildNetworks: { acquire: async () => ({ name: 'n', release: async () => {} }) }
})
const newProject = async (client: Client) =>
  (await client.createProject({ gitUrl: 'https://github.com/owner/repository' })).id
const build = async (client: Client, id: string): Promise<string> => {
  const answer = await client.request('POST', `/api/projects/${id}/build`)
  await runQueue(panel.deps, worker(), 'build')
  return answer.json<Deployment>().id
}
const logOf = async (client: Client, id: string, deploymentId: string) =>
  (await client.request('GET', `/api/projects/${id}/deployments/${deploymentId}`)).json<Deployment>().buildLogs
const kept = async (client: Client) => {
  const { rows } = await panel.deps.db.execute<{ id: string; bytes: number }>(sql`
    select deployment_id as id, sum(octet_length(text))::int as bytes from deployment_logs
    join deployments d on d.id = deployment_id where d.user_id = ${client.user.id} group by 1 order by max(d.seq)`)
  return rows
}

test('the newest logs of a project are kept; older ones say that they were removed', async () => {
  const id = await newProject(ann)
  const ids = [await build(ann, id), await build(ann, id), await build(ann, id), await build(ann, id)]
  expect((await kept(ann)).map((log) => log.id)).toEqual(ids.slice(1))
  expect(await logOf(ann, id, ids[0]!)).toMatch(/^\[This log was removed/)
  expect(await logOf(ann, id, ids[3]!)).toMatch(new RegExp(`${kilobyte}==> end \\S+\nFAILED: as it was told\n$`))
  const { deployments } = (await ann.request('GET', `/api/projects/${id}/deployments`)).json<{
    deployments: Deployment[]
  }>()
  expect(deployments.map(({ buildLogs }) => buildLogs!.startsWith('['))).toEqual([false, false, false, true])
})

test('logs are limited per account across projects', async () => {
  const others = await newProject(bob)
  await build(bob, others)
  const projects = [await newProject(ann), await newProject(ann), await newProject(ann)]
  const ids: string[] = []
  for (const id of [...projects, ...projects]) ids.push(await build(ann, id))
  const logs = await kept(ann)
  expect(logs.map(({ id }) => id)).toEqual(ids.slice(-4))
  expect(logs.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(256 * 1024)
  expect(await kept(bob)).toHaveLength(1)
})

test('deleting a project deletes its logs, also ones written later', async () => {
  const id = await newProject(ann)
  const deployment = await build(ann, id)
  await ann.request('DELETE', `/api/projects/${id}`)
  await purgeProject(panel.deps, id, {})
  await appendLog(panel.deps.db, deployment, 'of a build that ends just now')
  expect(await kept(ann)).toEqual([])
})

test('logs of an earlier version are deleted in batches, except open ones', async () => {
  const id = await newProject(ann)
  await panel.deps.db.execute(sql`
    insert into deployments (id, project_id, user_id, trigger, status)
    select 'old' || n, ${id}, ${ann.user.id}, 'MANUAL', (case n when 1 then 'BUILDING' else 'FAILED' end)::deployment_status
    from generate_series(1, 40) n`)
  await panel.deps.db.execute(
    sql`insert into deployment_logs (deployment_id, text) select id, 'a line' from deployments`
  )
  await trimAllLogs(panel.deps)
  expect((await kept(ann)).map((log) => log.id)).toEqual(['old1', 'old38', 'old39', 'old40'])
})
