import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMeasuredPanel, type RunningPanel } from './panel.ts'
import { chooseMailPorts } from '../e2e/support/mail-panel.ts'
import { median, report } from './figures.ts'
import { countForks, listProcesses } from './processor-time.ts'
import { proportionalBytes } from './resident.ts'
import { step } from './step.ts'

const projects = 100
// A start leaves work behind: images, the first full round.
const warmUpMs = 60_000
// For some seconds after each comparison of everything, the store has more connections than otherwise.
const memorySamples = 12
const aimedShare = 0.015
const scheduledJobs = 1_000
/** Of an engine that another program has started, and whose processor time is also that of others. */
const sharedMark = ' (shared)'

interface Usage {
  seconds: number
  bytes: number
}

/**
 * Processor time and proportional memory of `./panel up`, of all programs that it runs and of the container engine, by program, while
 * nobody does anything: with 100 projects of which none is deployed, without mail, and with a mail domain and the spam filter.
 */
export async function benchIdle(windowSeconds: number): Promise<void> {
  await measure('without mail', { windowSeconds, aimedMegabytes: 350, env: {} })
  const mail = await chooseMailPorts()
  await measure('with mail', {
    windowSeconds,
    aimedMegabytes: 700,
    env: { PANEL_MOCK_DNS: 'true', PANEL_DOMAIN: 'panel.test', ...mail.env, MAIL_SPAM_FILTER: 'on' }
  })
}

async function measure(
  name: string,
  { windowSeconds, aimedMegabytes, env }: { windowSeconds: number; aimedMegabytes: number; env: Record<string, string> }
): Promise<void> {
  const panel = await step(`starting a panel ${name}`, () => startMeasuredPanel(env))
  try {
    const client = await panel.signUp()
    const { id } = await client.call<{ id: string }>('GET', '/auth/me')
    await addProjects(panel, id)
    if (env.MAIL === 'on') {
      const { id: domainId } = await client.call<{ id: string }>('POST', '/domains', { hostname: 'measured.example' })
      await client.call('POST', `/domains/${domainId}/verify?mock=true`)
      await client.call('POST', '/mailboxes', { domainId, localPart: 'ann', password: 'correct horse battery' })
    }
    await step('settling', () => sleep(warmUpMs))
    const [before, forks] = [await usageByProgram(panel), await countForks()]
    const samples = await step(`idle for ${windowSeconds} s`, () => sampleUsage(panel, windowSeconds))
    const [after, forksAfter] = [samples.at(-1)!, await countForks()]
    const used = [...after].map(([program, { seconds }]) => ({
      program,
      share: Math.max(0, seconds - (before.get(program)?.seconds ?? 0)) / windowSeconds,
      megabytes: median(samples.map((sample) => sample.get(program)?.bytes ?? 0)) / 2 ** 20
    }))
    const sum = (of: (each: (typeof used)[number]) => number) => used.reduce((total, each) => total + of(each), 0)
    const most = Math.max(
      ...samples.map((sample) => [...sample.values()].reduce((total, { bytes }) => total + bytes, 0))
    )
    report(`memory at rest, ${name}`, `${sum(({ megabytes }) => megabytes).toFixed(0)} MB`, {
      value: sum(({ megabytes }) => megabytes) / aimedMegabytes,
      aim: `<= 1x of ${aimedMegabytes} MB`
    })
    report(`  at most, ${name}`, `${(most / 2 ** 20).toFixed(0)} MB`)
    const share = sum((each) => (each.program.endsWith(sharedMark) ? 0 : each.share))
    report(`processor at rest, ${name}`, percent(share), {
      value: share / aimedShare,
      aim: '<= 1x of 1.5 % of a core'
    })
    for (const each of used.sort((a, b) => b.megabytes - a.megabytes))
      report(`  ${each.program}`, `${each.megabytes.toFixed(0)} MB, ${percent(each.share)}`)
    report(
      `processes and threads made in a minute, ${name}`,
      `${(((forksAfter - forks) * 60) / windowSeconds).toFixed(0)}`
    )
  } finally {
    await panel.dispose()
  }
}

async function sampleUsage(panel: RunningPanel, windowSeconds: number): Promise<Map<string, Usage>[]> {
  const samples: Map<string, Usage>[] = []
  for (let n = 0; n < memorySamples; n++) {
    await sleep((windowSeconds * 1000) / memorySamples)
    samples.push(await usageByProgram(panel))
  }
  return samples
}

/** Processor time of the panel at rest, with and without 1,000 scheduled jobs of which none is due. */
export async function benchSchedules(windowSeconds: number): Promise<void> {
  const panel = await step('starting a panel', () => startMeasuredPanel({}))
  try {
    const { id } = await (await panel.signUp()).call<{ id: string }>('GET', '/auth/me')
    await addProjects(panel, id)
    const secondsOf = async () =>
      [...(await usageByProgram(panel))].reduce((sum, [name, { seconds }]) => sum + (name.endsWith(sharedMark) ? 0 : seconds), 0) // oxfmt-ignore
    const shares: number[] = []
    for (const jobs of [0, scheduledJobs]) {
      if (jobs > 0) await addScheduledJobs(panel, jobs)
      await step('settling', () => sleep(warmUpMs))
      const before = await secondsOf()
      await step(`idle for ${windowSeconds} s with ${jobs} scheduled jobs`, () => sleep(windowSeconds * 1000))
      shares.push(((await secondsOf()) - before) / windowSeconds)
    }
    report(`processor at rest, ${scheduledJobs} scheduled jobs / none`, shares.toReversed().map(percent).join(' / '), { value: shares[1]! / shares[0]!, aim: '<= 1.2x' }) // oxfmt-ignore
  } finally {
    await panel.dispose()
  }
}

/** Due at the next turn of the year, as their schedule says. */
const addScheduledJobs = (panel: RunningPanel, count: number) =>
  panel.query(
    `insert into scheduled_jobs (id, user_id, project_id, name, schedule, timezone, command, timeout_seconds, overlap, is_enabled, next_run_at)
     select 'job-' || n, (select user_id from projects limit 1), 'idle-' || (n % $2::int + 1), 'job-' || n, '0 0 1 1 *', 'UTC', $3, 60, 'SKIP', true, date_trunc('year', now() at time zone 'UTC') + interval '1 year'
     from generate_series(1, $1::int) n`,
    [count, projects, '["true"]']
  )

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`

/** By the program at the top: of Postfix and Dovecot, some processes have the same names. Its processor time includes that of processes that have ended. */
export async function usageByProgram(panel: RunningPanel): Promise<Map<string, Usage>> {
  const web = new Set(await panel.webPids())
  const ours = new Map((await listProcesses(panel.pid(), panel.dataDir)).map((each) => [each.pid, each]))
  const engine = await listEngine()
  const usage = new Map<string, Usage>()
  for (const each of [...ours.values(), ...engine.filter(({ pid }) => !ours.has(pid))]) {
    let top = each
    for (let above = ours.get(top.parent); above && top.pid !== panel.pid(); above = ours.get(top.parent)) {
      if (above.pid === panel.pid()) break
      top = above
    }
    const own = web.has(each.pid) ? 'Node.js (API)' : await nameOf(top, panel)
    const program = ours.has(each.pid) ? own : `${each.program}${sharedMark}`
    const known = usage.get(program) ?? { seconds: 0, bytes: 0 }
    usage.set(program, {
      seconds: known.seconds + each.seconds,
      bytes: known.bytes + (await proportionalBytes(each.pid))
    })
  }
  return usage
}

async function nameOf({ pid, program }: { pid: number; program: string }, panel: RunningPanel): Promise<string> {
  if (pid === panel.pid()) return 'Node.js (worker)'
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') // It has ended.
  if (command.includes(`panel.directory=${panel.dataDir}`)) return 'PostgreSQL (store)'
  return names[program] ?? program
}

/** As the kernel names their first process. */
const names: Readonly<Record<string, string>> = {
  master: 'Postfix',
  dovecot: 'Dovecot',
  rspamd: 'Rspamd',
  'redis-server': 'Redis',
  opendkim: 'OpenDKIM',
  mariadbd: 'MariaDB',
  postgres: 'PostgreSQL',
  haproxy: 'HAProxy',
  knotd: 'Knot DNS',
  sshd: 'OpenSSH'
}

/** The machine has one container engine, which another program may have started, and others only below directories of their own. */
async function listEngine(): Promise<Awaited<ReturnType<typeof listProcesses>>> {
  // A process may end in between.
  const placeOf = (pid: number | 'self') => readlink(`/proc/${pid}/ns/mnt`).catch(() => undefined)
  const nameOf = async (pid: number) => (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim()
  const place = await placeOf('self')
  const isEngine = async (pid: number) =>
    /^(dockerd|containerd)$/.test(await nameOf(pid)) && (await placeOf(pid)) === place
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const engine = (await Promise.all(pids.map(async (pid) => ((await isEngine(pid)) ? [pid] : [])))).flat()
  // No process works in this directory, so that only those below each of them are listed.
  const all = await Promise.all(engine.map((pid) => listProcesses(pid, '/dev/null/none')))
  return all.flatMap((processes, index) => processes.filter(({ pid }) => pid === engine[index]))
}

/** Rows with hostnames, which the proxy routes to a page. */
async function addProjects(panel: RunningPanel, userId: string): Promise<void> {
  await panel.query(
    `insert into projects (id, user_id, name, type, files_name, node_id, files_node_id)
     select 'idle-' || n, $1, 'idle-' || n, 'NODEJS', 'idle-' || n, nodes.id, nodes.id
     from nodes, generate_series(1, $2::int) n`,
    [userId, projects]
  )
  await panel.query(
    `insert into host_names (hostname, project_id)
     select 'idle-' || n || '.apps.localhost', 'idle-' || n from generate_series(1, $1::int) n`,
    [projects]
  )
  await panel.query('update users set project_count = $2 where id = $1', [userId, projects])
}
