import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningPanel, startMeasuredPanel } from './panel.ts'
import { report } from './figures.ts'
import { countForks, listProcesses } from './processor-time.ts'
import { step } from './step.ts'

const sizes = [0, 100, 1_000]
// What a start leaves behind is done by then: images, the first full checks.
const warmUpMs = 30_000
const reportedSeconds = 600

/**
 * Processor time of `./panel up` and of all that it started while nobody does anything, at 0, 100 and 1,000 projects. A window shorter than
 * ten minutes is counted up to them.
 */
export async function benchIdle(windowSeconds: number): Promise<void> {
  const panel = await startMeasuredPanel()
  try {
    const { id } = await (await panel.signUp()).call<{ id: string }>('GET', '/auth/me')
    for (const [index, size] of sizes.entries()) {
      await addProjects(panel, id, sizes[index - 1] ?? 0, size)
      await step(`settling with ${size} projects`, () => sleep(warmUpMs))
      await step(`idle for ${windowSeconds} s with ${size} projects`, () => measure(panel, size, windowSeconds))
    }
  } finally {
    await panel.dispose()
  }
}

async function measure(panel: RunningPanel, size: number, windowSeconds: number): Promise<void> {
  const [before, forks] = [await secondsByProgram(panel), await countForks()]
  await sleep(windowSeconds * 1000)
  const [after, forksAfter] = [await secondsByProgram(panel), await countForks()]
  const factor = reportedSeconds / windowSeconds
  const used = [...after].map(([program, seconds]) => ({
    program,
    seconds: (seconds - (before.get(program) ?? 0)) * factor
  }))
  const at = `${size.toLocaleString('en')} projects`
  const total = used.reduce((sum, { seconds }) => sum + seconds, 0)
  report(`processor time in 10 idle minutes, ${at}`, `${total.toFixed(1)} s`, {
    value: total / reportedSeconds / 0.005,
    aim: '<= 1x of 0.5 % of a core'
  })
  for (const { program, seconds } of used.sort((a, b) => b.seconds - a.seconds))
    if (seconds >= 0.05) report(`  ${program}`, `${seconds.toFixed(1)} s`)
  report(`processes and threads made in a minute, ${at}`, `${(((forksAfter - forks) * 60) / windowSeconds).toFixed(0)}`)
}

/** The panel itself by that name, with the programs that it ran and that have ended; the others by theirs. */
async function secondsByProgram(panel: RunningPanel): Promise<Map<string, number>> {
  const seconds = new Map<string, number>()
  for (const each of await listProcesses(panel.pid(), panel.dataDir)) {
    const program = each.pid === panel.pid() ? 'panel' : each.program
    seconds.set(program, (seconds.get(program) ?? 0) + each.seconds)
  }
  return seconds
}

/** As they are after "create a project": a row, a host name that is routed to a page, a directory of the right name. */
async function addProjects(panel: RunningPanel, userId: string, from: number, to: number): Promise<void> {
  await panel.query(
    `insert into projects (id, user_id, name, type, files_name, node_id)
     select 'idle-' || n, $1, 'idle-' || n, 'NODEJS', 'idle-' || n, (select id from nodes)
     from generate_series($2::int + 1, $3::int) n`,
    [userId, from, to]
  )
  await panel.query(
    `insert into host_names (hostname, project_id)
     select 'idle-' || n || '.apps.localhost', 'idle-' || n from generate_series($1::int + 1, $2::int) n`,
    [from, to]
  )
  await panel.query('update users set project_count = $2 where id = $1', [userId, to])
}
