import type { Run, RunOutput, ScheduledJob } from '@panel/contract/runs'
import { beforeAll, expect, test } from 'vitest'
import { nodeSite } from '../support/sites.ts'
import { type Client, queryStore, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

let world: World
let user: Client
let site: Site
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
  site = await user.createSite(world.git, nodeSite('first'), { type: 'NODEJS' })
  await user.call('POST', `/projects/${site.id}/env`, { key: 'TOKEN', value: 'correct-horse-battery' })
  await user.mustRun(site.id)
})

const path = (rest: string) => `/projects/${site.id}${rest}`
const command = (values: object) => user.call<Run>('POST', path('/runs'), values)
const read = (id: string) => user.call<Run>('GET', path(`/runs/${id}`))
const output = async (id: string) => (await user.call<RunOutput>('GET', path(`/runs/${id}/output`))).text
const runsOf = async ({ id }: ScheduledJob) =>
  (await user.call<{ runs: Run[] }>('GET', path(`/runs?scheduledJobId=${id}`))).runs
const ended = (id: string) =>
  until(
    () => read(id),
    ({ endedAt }) => endedAt !== null
  )

test('a command runs with the variables, files and user of the project, and reports its exit status', async () => {
  const { id } = await command({ command: 'echo "token $TOKEN as $(id -u)"; echo kept > /data/kept.txt; exit 3' })
  expect(await ended(id)).toMatchObject({ status: 'FAILED', exitCode: 3, problem: null })
  const text = await output(id)
  expect(text).toMatch(/^token \S+ as \d{5,}\n$/)
  expect(text).not.toContain('correct-horse')
  const again = await command({ command: ['cat', '/data/kept.txt'] })
  expect(await ended(again.id)).toMatchObject({ status: 'SUCCEEDED', exitCode: 0 })
  expect(await output(again.id)).toBe('kept\n')
  expect((await world.panel.visit(site.hostname)).body).toBe('first /')
})

test('a shell character in an argument is not interpreted, and a missing program is named', async () => {
  const { id } = await command({ command: ['node', '-p', 'process.argv[1]', '$(id); echo x'] })
  await ended(id)
  expect(await output(id)).toBe('$(id); echo x\n')
  const missing = await command({ command: ['no-such-program'] })
  expect(await ended(missing.id)).toMatchObject({ status: 'FAILED' })
  expect(await output(missing.id)).toContain('no-such-program')
})

test('a run above its memory is killed and says so; one above its time is stopped', async () => {
  const fill = 'const all = []; for (;;) all.push(Buffer.alloc(16 * 2 ** 20, 1))'
  const large = await command({ command: ['node', '-e', fill] })
  expect(await ended(large.id)).toMatchObject({ status: 'FAILED', problem: 'OUT_OF_MEMORY' })
  const long = await command({ command: ['sleep', '300'], timeoutSeconds: 2 })
  expect(await ended(long.id)).toMatchObject({ status: 'TIMED_OUT' })
})

test('a job survives a redeployment and kill -9 of the panel, and runs once', async () => {
  const { git, panel } = world
  const line = 'echo begun >> /data/once.txt; echo begun; while ! [ -e /data/go ]; do sleep 0.2; done; echo done'
  const settings = { name: 'once', schedule: '* * * * *', command: line }
  const job = await user.call<ScheduledJob>('POST', path('/scheduled-jobs'), settings)
  // Due now, without waiting for the minute.
  await queryStore(panel.dataDir, `update scheduled_jobs set next_run_at = now() where id = '${job.id}'`)
  const [run] = await until(
    () => runsOf(job),
    ({ length }) => length > 0
  )
  await user.call('PATCH', path(`/scheduled-jobs/${job.id}`), { isEnabled: false })
  await until(
    () => output(run!.id),
    (text) => text.includes('begun')
  )
  await git.commit(site.repository, nodeSite('second'), 'Second')
  await user.mustRun(site.id)
  await panel.kill()
  await panel.start()
  expect((await read(run!.id)).status).toBe('RUNNING')
  const go = await command({ command: ['touch', '/data/go'] })
  await ended(go.id)
  expect(await ended(run!.id)).toMatchObject({ status: 'SUCCEEDED', trigger: 'SCHEDULE' })
  expect(await output(run!.id)).toBe('begun\ndone\n')
  const count = await command({ command: ['cat', '/data/once.txt'] })
  await ended(count.id)
  expect(await output(count.id)).toBe('begun\n')
  expect((await world.panel.visit(site.hostname)).body).toBe('second /')
})
