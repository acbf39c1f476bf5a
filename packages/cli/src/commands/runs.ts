import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, type SignedInCall, step, UsageError } from '../context.ts'
import { allPages, projectOf } from '../projects.ts'
import { printableLog, table } from '../table.ts'
import { attachTerminal } from '../terminal.ts'
import { withRetries } from '../with-retries.ts'

const pollEveryMs = 1_000

/**
 * Follows the output and exits with the status of the command. Ctrl-C stops following, not the command. With -it the
 * command has this terminal, and runs in the container of the site.
 */
export const runCommand: Command = {
  name: 'run',
  about: 'run a command in a new container of the live release; exits with its status',
  args: '[project] <command…>',
  argsWith: { interactive: '[project] [command…]' },
  options: [
    ['-i, --interactive', 'with -t: run it in the running container, in this terminal; default: a shell'],
    ['-t, --tty', 'see -i'],
    ['--timeout <seconds>', 'default: 3600'],
    ['--detach', 'do not follow the output']
  ],
  example: 'run shop -- npm run migrate',
  async run(call) {
    const { client, args, options } = call
    const project = await projectOf(call)
    if ((options.interactive === true) !== (options.tty === true)) throw new UsageError('Use -i and -t together: -it')
    if (options.interactive === true) return attachTerminal(call, project.id, args)
    const timeoutSeconds = options.timeout === undefined ? 3600 : secondsIn(options.timeout)
    const body = { command: [...args], timeoutSeconds }
    const run = await unwrap(client.POST('/api/projects/{id}/runs', { params: { path: { id: project.id } }, body }))
    if (options.detach === true) {
      call.print(run, `Run ${run.id} is ${run.status}\n`)
      return call.next(`runs ${project.name}`)
    }
    step(call, `Run ${run.id}`)
    await follow(call, run)
  }
}

export const listJobs: Command = {
  name: 'cron list',
  about: 'list the scheduled jobs',
  args: '[project]',
  example: 'cron list shop',
  async run(call) {
    const { client, print } = call
    const project = await projectOf(call)
    const jobs = await jobsOf(client, project.id)
    const rows = jobs.map(({ name, schedule, timezone, nextRunAt, lastRun, command }) => [
      ...[name, schedule, timezone, nextRunAt ?? 'disabled', lastRun?.status, commandText(command)]
    ])
    print(jobs, table(['NAME', 'SCHEDULE', 'TIME ZONE', 'NEXT RUN', 'LAST RUN', 'COMMAND'], rows))
    call.next(
      jobs.length === 0 ? `cron add ${project.name} <name> <schedule> <command>` : `cron run ${project.name} <job>`
    )
  }
}

export const addJob: Command = {
  name: 'cron add',
  about: 'add a scheduled job',
  args: '[project] <name> <schedule> <command…>',
  options: [
    ['--timezone <name>', 'default: that of the server'],
    ['--timeout <seconds>', 'default: 3600'],
    ['--overlap <policy>', 'skip, queue or replace; default: skip']
  ],
  example: "cron add shop nightly '30 2 * * *' -- npm run report",
  async run(call) {
    const { client, args, options, print } = call
    const [name, schedule, ...command] = args
    const project = await projectOf(call)
    const body = {
      name: name!,
      schedule: schedule!,
      command,
      isEnabled: true,
      overlap: overlapIn(options.overlap),
      timeoutSeconds: options.timeout === undefined ? 3600 : secondsIn(options.timeout),
      ...(typeof options.timezone === 'string' ? { timezone: options.timezone } : {})
    }
    const path = { id: project.id }
    const job = await unwrap(client.POST('/api/projects/{id}/scheduled-jobs', { params: { path }, body }))
    print(job, `${job.name} runs next at ${job.nextRunAt ?? '-'}\n`)
    call.next(`cron list ${project.name}`)
  }
}

export const removeJob: Command = {
  name: 'cron remove',
  about: 'delete a scheduled job',
  args: '[project] <job>',
  example: 'cron remove shop nightly',
  async run(call) {
    const { client, args, print } = call
    const job = await findJob(call, args[0]!)
    const path = { id: job.projectId, jobId: job.id }
    await unwrap(client.DELETE('/api/projects/{id}/scheduled-jobs/{jobId}', { params: { path } }))
    print({ id: job.id }, `Deleted ${job.name}\n`)
    call.next(`cron list ${job.projectId}`)
  }
}

export const runJob: Command = {
  name: 'cron run',
  about: 'run a scheduled job now',
  args: '[project] <job>',
  example: 'cron run shop nightly',
  async run(call) {
    const { client, args } = call
    const job = await findJob(call, args[0]!)
    const path = { id: job.projectId, jobId: job.id }
    const run = await unwrap(client.POST('/api/projects/{id}/scheduled-jobs/{jobId}/run', { params: { path } }))
    step(call, `Run ${run.id}`)
    await follow(call, run)
  }
}

/** The runs of a job, or of all jobs and commands of the project. */
export const listRuns: Command = {
  name: 'runs',
  about: 'list runs of jobs and commands',
  args: '[project] [job]',
  example: 'runs shop',
  async run(call) {
    const { client, args, print } = call
    const project = await projectOf(call)
    const job = args[0] === undefined ? undefined : await findJob(call, args[0])
    const query = { limit: 50, ...(job ? { scheduledJobId: job.id } : {}) }
    const { runs } = await unwrap(
      client.GET('/api/projects/{id}/runs', { params: { path: { id: project.id }, query } })
    )
    const rows = runs.map(({ id, createdAt, trigger, status, exitCode, problem, command }) => [
      ...[id, createdAt, trigger, status, problem ?? exitCode, commandText(command)]
    ])
    print(runs, table(['ID', 'CREATED', 'TRIGGER', 'STATUS', 'RESULT', 'COMMAND'], rows))
    call.next(job === undefined ? `run ${project.name} -- <command>` : `cron run ${project.name} ${job.name}`)
  }
}

async function follow(call: SignedInCall, run: Schema<'Run'>): Promise<void> {
  const path = { id: run.projectId, runId: run.id }
  let after = 0
  for (;;) {
    const page = await withRetries(call.signal, () =>
      unwrap(call.client.GET('/api/projects/{id}/runs/{runId}/output', { params: { path, query: { after } } }))
    )
    call.stdout.write(printableLog(page.text))
    if (page.isComplete) break
    if (page.next === after) await sleep(pollEveryMs, undefined, { signal: call.signal })
    after = page.next
  }
  const ended = await withRetries(call.signal, () =>
    unwrap(call.client.GET('/api/projects/{id}/runs/{runId}', { params: { path } }))
  )
  call.next(`runs ${run.projectId}`)
  if (ended.status === 'SUCCEEDED') return
  const reason = ended.problem ?? (ended.exitCode === null ? '' : `exit status ${ended.exitCode}`)
  throw new CommandError(`The run is ${ended.status}: ${reason}`, ended.exitCode || 1)
}

async function findJob(call: SignedInCall, name: string): Promise<Schema<'ScheduledJob'>> {
  const project = await projectOf(call)
  const found = (await jobsOf(call.client, project.id)).find((job) => job.name === name || job.id === name)
  if (!found) throw new CommandError(`The project ${project.name} has no scheduled job "${name}"`)
  return found
}

const jobsOf = (client: Client, id: string): Promise<Schema<'ScheduledJob'>[]> =>
  allPages(async (page) => {
    const query = { page, limit: 100 }
    const list = await unwrap(client.GET('/api/projects/{id}/scheduled-jobs', { params: { path: { id }, query } }))
    return { items: list.scheduledJobs, totalPages: list.pagination.totalPages }
  })

const overlaps = ['SKIP', 'QUEUE', 'REPLACE'] as const

function overlapIn(given: string | boolean | undefined): (typeof overlaps)[number] {
  const found = overlaps.find((overlap) => overlap === String(given ?? 'skip').toUpperCase())
  if (!found) throw new UsageError('--overlap must be skip, queue or replace')
  return found
}

function secondsIn(given: string | boolean): number {
  const seconds = Number(given)
  if (!Number.isInteger(seconds) || seconds < 1) throw new UsageError('--timeout must be a number of seconds')
  return seconds
}

const commandText = (command: string | readonly string[]): string =>
  typeof command === 'string' ? command : command.join(' ')
