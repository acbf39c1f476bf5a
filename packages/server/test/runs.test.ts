import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { NotificationList } from '@panel/contract/notifications'
import type { Run, RunList, RunOutput, ScheduledJob, ScheduledJobList } from '@panel/contract/runs'
import { containerSlots } from '../src/db/schema/container-slots.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { runs, scheduledJobs } from '../src/db/schema/runs.ts'
import { retireSlots } from '../src/features/containers/slot-access.ts'
import { reconcileContainers } from '../src/features/deployments/containers.reconcile.ts'
import { correctTimes, queueDueJobs } from '../src/features/runs/due-jobs.jobs.ts'
import { executeRun } from '../src/features/runs/run-execution.jobs.ts'
import { recoverRuns } from '../src/features/runs/runs.reconcile.ts'
import { deleteOldRuns } from '../src/features/runs/runs.repository.ts'
import { isAnyJobDue } from '../src/features/runs/scheduled-jobs.repository.ts'
import { AdapterError } from '../src/infra/adapter-error.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { deployedSite } from './support/deployed-site.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const start = new Date('2026-11-23T12:00:30Z')
const never = new AbortController().signal
const workerId = 7

let now = start
let panel: TestPanel
let engine: MemoryContainerEngine
let ann: Client
let bob: Client
let site: string
beforeAll(async () => {
  engine = createMemoryEngine()
  panel = await createTestPanel({ SCHEDULED_JOBS_PER_ACCOUNT: '5', RUNS_PER_ACCOUNT: '2' }, { engine, now: () => now })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  site = (await deployedSite(panel, ann, engine)).id
  const [project] = await panel.deps.db.select().from(projects).where(eq(projects.id, site))
  const imageSpec = { port: 8080, readOnlyRoot: true, volumes: [], filesAt: '/data' }
  await panel.deps.db
    .update(deployments)
    .set({ image: 'site', imageSpec })
    .where(eq(deployments.id, project!.liveDeploymentId!))
})
afterAll(() => panel.close())
beforeEach(async () => {
  now = start
  engine.fail = undefined
  engine.afterStart = () => {}
  for (const { id, labels } of await engine.listContainers({ [label.instance]: panel.deps.instanceId }))
    if (labels[label.run] !== undefined) await engine.removeContainer(id)
  await panel.deps.db.delete(runs)
  await panel.deps.db.delete(scheduledJobs)
  await panel.deps.db.delete(containerSlots).where(eq(containerSlots.kind, 'RUN'))
})

const at = (rest = '', project = site) => `/api/projects/${project}${rest}`
const worker = (signal = never, dead: number[] = []) => ({
  signal,
  lease: { workerId, findDead: async (ids: readonly number[]) => ids.filter((id) => dead.includes(id)) }
})
const create = (values: object = {}, by = ann) =>
  by.request('POST', at('/scheduled-jobs'), { name: 'Report', schedule: '* * * * *', command: 'true', ...values })
async function created(values: object = {}): Promise<ScheduledJob> {
  const answer = await create(values)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}
async function command(values: object = {}): Promise<Run> {
  const answer = await ann.request('POST', at('/runs'), { command: ['report', '--all'], ...values })
  expect(answer.statusCode, answer.body).toBe(202)
  return answer.json()
}
const read = async (id: string) => (await ann.request('GET', at(`/runs/${id}`))).json<Run>()
const history = async (query = '') => (await ann.request('GET', at(`/runs${query}`))).json<RunList>().runs
const output = async (id: string) => (await ann.request('GET', at(`/runs/${id}/output`))).json<RunOutput>()
const due = () => queueDueJobs(panel.deps, never)
const execute = (id: string) => executeRun(panel.deps, worker(), id)
const containerOf = (id: string) => [...engine.containers.values()].find(({ spec }) => spec.labels[label.run] === id)
/** The default of a second is too short for a busy machine: masking starts a thread. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000 })
const minuteLater = () => void (now = new Date(now.getTime() + 60_000))

/** Containers of runs write `text` and end. */
function endsWith(exitCode: number, text = '', values: { outOfMemory?: boolean } = {}) {
  engine.afterStart = ({ spec, state }) => {
    if (spec.labels[label.run] === undefined) return
    engine.write(state.id, text)
    Object.assign(state, { status: 'exited', running: false, exitCode, ...values })
    engine.write(state.id, '')
  }
}
async function started(id: string): Promise<{ done: Promise<void> }> {
  const done = execute(id)
  await eventually(() => expect(containerOf(id)?.state.running).toBe(true))
  return { done }
}

describe('a scheduled job', () => {
  test('is created with its next time, changed and deleted', async () => {
    const job = await created({ schedule: '30 2 * * *', timezone: 'europe/berlin' })
    expect(job).toMatchObject({
      timezone: 'Europe/Berlin',
      nextRunAt: '2026-11-24T01:30:00.000Z',
      timeoutSeconds: 3600,
      overlap: 'SKIP',
      lastRun: null
    })
    const one = at(`/scheduled-jobs/${job.id}`)
    const changed = await ann.request('PATCH', one, { schedule: '0 4 * * *' })
    expect(changed.json()).toMatchObject({ nextRunAt: '2026-11-24T03:00:00.000Z', name: 'Report' })
    expect((await ann.request('PATCH', one, { isEnabled: false })).json()).toMatchObject({ nextRunAt: null })
    expect((await ann.request('GET', at('/scheduled-jobs'))).json<ScheduledJobList>().scheduledJobs).toHaveLength(1)
    expect((await ann.request('DELETE', one)).statusCode).toBe(204)
    expect((await ann.request('GET', one)).statusCode).toBe(404)
    expect((await panel.audited({ targetId: job.id })).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['scheduled_job.created', 'scheduled_job.updated', 'scheduled_job.deleted'])
    )
  })

  test.each([
    ['a schedule for 30 February', { schedule: '0 0 30 2 *' }],
    ['six fields', { schedule: '* * * * * *' }],
    ['a name of a day', { schedule: '0 0 * * MON' }],
    ['an unknown time zone', { timezone: 'Mars/Base' }],
    ['no command', { command: '' }],
    ['no arguments', { command: [] }],
    ['a command of two lines', { command: 'a\nb' }],
    ['an argument with NUL', { command: ['a\0'] }],
    ['no time', { timeoutSeconds: 0 }]
  ])('%s is refused', async (_name, values) => {
    const answer = await create(values)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('the quota holds, and the project of another account is 403', async () => {
    for (let index = 0; index < 5; index++) await created()
    expect((await create()).json().code).toBe('QUOTA_EXCEEDED')
    expect((await create({}, bob)).statusCode).toBe(403)
  })
})

describe('when it is due', () => {
  test('runs once in a container of the release, which is then removed', async () => {
    const job = await created({ command: ['report', '--all'] })
    await due()
    expect(await history()).toEqual([])
    minuteLater()
    await due()
    await due()
    const [run, ...others] = await history()
    expect(others).toEqual([])
    expect(run).toMatchObject({ status: 'QUEUED', trigger: 'SCHEDULE', dueAt: '2026-11-23T12:01:00.000Z' })
    const { done } = await started(run!.id)
    const container = containerOf(run!.id)!
    expect(container.spec).toMatchObject({ oneOff: ['report', '--all'], image: 'site', readOnlyRoot: true })
    expect(container.spec.hostPort).toBeUndefined()
    Object.assign(container.state, { status: 'exited', running: false, exitCode: 0 })
    engine.write(container.state.id, 'all done\n')
    await done
    expect(await read(run!.id)).toMatchObject({ status: 'SUCCEEDED', exitCode: 0, problem: null })
    expect(await output(run!.id)).toMatchObject({ text: 'all done\n', isComplete: true, isTruncated: false })
    expect(containerOf(run!.id)).toBeUndefined()
    expect(await panel.deps.db.select().from(containerSlots).where(eq(containerSlots.kind, 'RUN'))).toEqual([])
    const shown = (await ann.request('GET', at(`/scheduled-jobs/${job.id}`))).json<ScheduledJob>()
    expect(shown).toMatchObject({ lastRun: { id: run!.id }, nextRunAt: '2026-11-23T12:02:00.000Z' })
  })

  test('of the times that passed while the panel was not running, one run is made up for', async () => {
    await created()
    now = new Date('2026-11-23T15:10:10Z')
    await due()
    expect((await history()).map(({ dueAt }) => dueAt)).toEqual(['2026-11-23T15:10:00.000Z'])
  })

  test('a clock that is set back repeats no run, and one that was a year ahead stops no job', async () => {
    const job = await created()
    minuteLater()
    await due()
    now = start
    await panel.deps.db.update(scheduledJobs).set({ nextRunAt: now }).where(eq(scheduledJobs.id, job.id))
    minuteLater()
    await due()
    expect(await history()).toHaveLength(1)
    await panel.deps.db.update(scheduledJobs).set({ nextRunAt: new Date('2027-11-23T12:00:00Z') })
    await correctTimes(panel.deps)
    const shown = (await ann.request('GET', at(`/scheduled-jobs/${job.id}`))).json<ScheduledJob>()
    expect(shown.nextRunAt).toBe('2026-11-23T12:02:00.000Z')
  })

  test('two processes at the same time queue one run', async () => {
    await created()
    minuteLater()
    await Promise.all([due(), due(), due()])
    expect(await history()).toHaveLength(1)
  })

  test('nothing runs while the project is stopped', async () => {
    await created()
    await panel.deps.db.update(projects).set({ status: 'STOPPED' }).where(eq(projects.id, site))
    minuteLater()
    await due()
    await panel.deps.db.update(projects).set({ status: 'ACTIVE' }).where(eq(projects.id, site))
    expect(await history()).toMatchObject([{ status: 'SKIPPED', problem: 'PROJECT_STOPPED' }])
  })

  test('a look at the index finds whether any is due', async () => {
    const job = await created()
    await panel.deps.db.update(scheduledJobs).set({ nextRunAt: new Date(Date.now() + 60_000) })
    expect(await isAnyJobDue(panel.deps.db)).toBe(false)
    await panel.deps.db
      .update(scheduledJobs)
      .set({ nextRunAt: new Date(Date.now() - 60_000) })
      .where(eq(scheduledJobs.id, job.id))
    expect(await isAnyJobDue(panel.deps.db)).toBe(true)
  })
})

describe('while the previous run is running', () => {
  async function overlapping(overlap: string) {
    await created({ overlap })
    minuteLater()
    await due()
    const [first] = await history()
    const { done } = await started(first!.id)
    minuteLater()
    await due()
    const [second] = await history()
    return { first: first!.id, second: second!.id, done }
  }

  test('SKIP leaves the run out', async () => {
    const { first, second, done } = await overlapping('SKIP')
    expect(await read(second)).toMatchObject({ status: 'SKIPPED', problem: 'PREVIOUS_RUNNING' })
    await ann.request('POST', at(`/runs/${first}/stop`))
    await done
    expect(await read(first)).toMatchObject({ status: 'STOPPED', problem: null, exitCode: 143 })
  })

  test('QUEUE: one run waits, until the previous one has ended', async () => {
    const { first, second, done } = await overlapping('QUEUE')
    await execute(second)
    expect((await read(second)).status).toBe('QUEUED')
    minuteLater()
    await due()
    expect((await history()).map(({ status }) => status)).toEqual(['SKIPPED', 'QUEUED', 'RUNNING'])
    await ann.request('POST', at(`/runs/${first}/stop`))
    await done
    endsWith(0)
    await execute(second)
    expect((await read(second)).status).toBe('SUCCEEDED')
  })

  test('REPLACE stops the previous run first', async () => {
    const { first, second, done } = await overlapping('REPLACE')
    await done
    expect(await read(first)).toMatchObject({ status: 'STOPPED', problem: 'REPLACED' })
    endsWith(0)
    await execute(second)
    expect((await read(second)).status).toBe('SUCCEEDED')
  })
})

describe('a failed run', () => {
  const failures = async () => {
    const { notifications } = (await ann.request('GET', '/api/notifications')).json<NotificationList>()
    return notifications.filter(({ kind }) => kind === 'scheduled-job-failed')
  }

  test('notifies the owner once, until a run succeeds', async () => {
    await created()
    const before = (await failures()).length
    const run = async (exitCode: number) => {
      minuteLater()
      await due()
      endsWith(exitCode, 'no space\n')
      await execute((await history())[0]!.id)
    }
    await run(3)
    await run(3)
    expect((await failures()).length - before).toBe(1)
    expect((await failures())[0]!.sentences).toMatchObject([{ code: 'SCHEDULED_JOB_FAILED', values: { status: 3 } }])
    await run(0)
    await run(1)
    expect((await failures()).length - before).toBe(2)
    expect((await history()).map(({ status, exitCode }) => `${status} ${exitCode}`)).toEqual([
      'FAILED 1',
      'SUCCEEDED 0',
      'FAILED 3',
      'FAILED 3'
    ])
  })

  test('names an out-of-memory kill', async () => {
    const { id } = await command()
    endsWith(137, '', { outOfMemory: true })
    await execute(id)
    expect(await read(id)).toMatchObject({ status: 'FAILED', problem: 'OUT_OF_MEMORY', exitCode: 137 })
  })

  test('shows why the engine could not start it', async () => {
    const { id } = await command()
    engine.fail = 'start'
    await execute(id)
    expect(await read(id)).toMatchObject({ status: 'FAILED', problem: 'COULD_NOT_START', exitCode: null })
    expect((await output(id)).text).toContain('The engine refused to start')
  })

  test('is stopped at its time limit', async () => {
    const { id } = await command({ timeoutSeconds: 1 })
    await execute(id)
    expect(await read(id)).toMatchObject({ status: 'TIMED_OUT', exitCode: 143 })
  })
})

describe('a one-off command', () => {
  test('a string runs in a shell of the container', async () => {
    const { id } = await command({ command: 'echo $HOME | wc' })
    const { done } = await started(id)
    expect(containerOf(id)!.spec.oneOff).toEqual(['/bin/sh', '-c', 'echo $HOME | wc'])
    await ann.request('POST', at(`/runs/${id}/stop`))
    await done
  })

  test('the output is masked, can be read while it runs, and its end is kept', async () => {
    await ann.request('POST', at('/env'), { key: 'TOKEN', value: 'correct-horse-battery', sensitive: true })
    const { id } = await command()
    const { done } = await started(id)
    const { state } = containerOf(id)!
    engine.write(state.id, 'token correct-horse-battery\n')
    await eventually(async () => expect((await output(id)).text).toContain('token'))
    expect(await output(id)).toMatchObject({ isComplete: false })
    expect((await output(id)).text).not.toContain('correct-horse')
    const line = `${'x'.repeat(8191)}\n`
    for (let index = 0; index < 200; index++) engine.write(state.id, line)
    Object.assign(state, { status: 'exited', running: false, exitCode: 0 })
    engine.write(state.id, 'the end\n')
    await done
    let text = ''
    for (let after = 0, page; ; after = page.next) {
      page = (await ann.request('GET', at(`/runs/${id}/output?after=${after}`))).json<RunOutput>()
      text += page.text
      expect(page.isTruncated).toBe(true)
      if (page.isComplete) break
    }
    expect(text.endsWith('the end\n')).toBe(true)
    expect(text.length).toBeLessThanOrEqual(1024 * 1024)
  })

  test('an account runs only so many at once', async () => {
    const ids = [await command(), await command(), await command()].map(({ id }) => id)
    const first = await started(ids[0]!)
    const second = await started(ids[1]!)
    await execute(ids[2]!)
    expect((await read(ids[2]!)).status).toBe('QUEUED')
    for (const id of ids) await ann.request('POST', at(`/runs/${id}/stop`))
    await Promise.all([first.done, second.done])
    expect((await history()).map(({ status }) => status)).toEqual(['STOPPED', 'STOPPED', 'STOPPED'])
    expect((await ann.request('POST', at(`/runs/${ids[0]}/stop`))).statusCode).toBe(409)
  })

  test('without a release it is refused', async () => {
    const { id } = await ann.createProject()
    const answer = await ann.request('POST', at('/runs', id), { command: 'true' })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'CONTAINER_MISSING'])
  })
})

describe('a panel that stops or is killed', () => {
  async function interrupted() {
    const { id } = await command()
    const stopping = new AbortController()
    const done = executeRun(panel.deps, worker(stopping.signal), id)
    await eventually(() => expect(containerOf(id)?.state.running).toBe(true))
    engine.write(containerOf(id)!.state.id, 'half\n')
    stopping.abort(new Error('the panel stops'))
    await done
    expect(await read(id)).toMatchObject({ status: 'RUNNING' })
    return { id, containerId: containerOf(id)!.state.id }
  }
  const next = (dead = [workerId]) => ({ ...worker(never, dead), lease: { ...worker(never, dead).lease, workerId: 8 } })

  test('the next worker continues with the same container', async () => {
    const { id, containerId } = await interrupted()
    expect(await recoverRuns(panel.deps, next().lease)).toBe('again')
    const done = executeRun(panel.deps, next(), id)
    Object.assign(containerOf(id)!.state, { status: 'exited', running: false, exitCode: 0 })
    engine.write(containerId, 'whole\n')
    await done
    expect(await read(id)).toMatchObject({ status: 'SUCCEEDED' })
    expect((await output(id)).text).toBe('half\nwhole\n')
  })

  test('a run whose container could not be created because the engine was unavailable starts later', async () => {
    const { id } = await command()
    const { createContainer } = engine
    const unavailable = new AdapterError('container-engine-unavailable', 'The container engine is not responding')
    engine.createContainer = () => Promise.reject(unavailable)
    await expect(execute(id)).rejects.toThrow(unavailable)
    engine.createContainer = createContainer
    expect(await read(id)).toMatchObject({ status: 'RUNNING' })
    expect(await recoverRuns(panel.deps, worker().lease)).toBe('again')
    endsWith(0)
    await execute(id)
    expect(await read(id)).toMatchObject({ status: 'SUCCEEDED' })
  })

  test('a living worker keeps its run', async () => {
    const { id } = await interrupted()
    await executeRun(panel.deps, next([]), id)
    expect(await read(id)).toMatchObject({ status: 'RUNNING' })
  })

  test('a container that was started and is gone is not started again', async () => {
    const { id, containerId } = await interrupted()
    await engine.removeContainer(containerId)
    await executeRun(panel.deps, next(), id)
    expect(await read(id)).toMatchObject({ status: 'FAILED', problem: 'CONTAINER_GONE' })
    expect(containerOf(id)).toBeUndefined()
  })

  test('reconcile and a redeployment leave the container of an open run, and remove that of an ended one', async () => {
    const { id } = await interrupted()
    await panel.deps.db.transaction((trx) => retireSlots(trx, site, now, 'a-new-release'))
    const [slot] = await panel.deps.db.select().from(containerSlots).where(eq(containerSlots.deploymentId, id))
    expect(slot).toMatchObject({ kind: 'RUN', retiredAt: null })
    await reconcileContainers(panel.deps, { stopped: never })
    expect(containerOf(id)?.state.running).toBe(true)
    await panel.deps.db.update(runs).set({ status: 'FAILED', workerId: null }).where(eq(runs.id, id))
    await reconcileContainers(panel.deps, { stopped: never })
    expect(containerOf(id)).toBeUndefined()
  })
})

test('the latest runs of each job and the latest commands are kept', async () => {
  const job = await created()
  for (let index = 0; index < 3; index++) {
    minuteLater()
    await due()
    await command()
    await panel.deps.db.update(runs).set({ status: 'STOPPED', endedAt: now })
  }
  await deleteOldRuns(panel.deps.db, 2)
  expect(await history(`?scheduledJobId=${job.id}`)).toHaveLength(2)
  expect(await history('?trigger=COMMAND')).toHaveLength(2)
})

test('run now: audited, also while disabled, and refused while it runs', async () => {
  const job = await created({ isEnabled: false })
  const run = () => ann.request('POST', at(`/scheduled-jobs/${job.id}/run`))
  const answer = await run()
  expect([answer.statusCode, answer.json().trigger]).toEqual([202, 'MANUAL'])
  expect((await run()).statusCode).toBe(409)
  expect(await panel.audited({ action: 'scheduled_job.started', targetId: job.id })).toHaveLength(1)
})

test('a deleted project takes its jobs and runs with it', async () => {
  const { id } = await ann.createProject()
  await panel.deps.db.update(projects).set({ liveDeploymentId: 'x' }).where(eq(projects.id, id))
  await ann.request('POST', at('/scheduled-jobs', id), { name: 'Report', schedule: '* * * * *', command: 'true' })
  await ann.request('POST', at('/runs', id), { command: 'true' })
  expect((await ann.request('DELETE', at('', id))).statusCode).toBeLessThan(300)
  expect(await panel.deps.db.select().from(runs)).toEqual([])
  expect(await panel.deps.db.select().from(scheduledJobs)).toEqual([])
})
