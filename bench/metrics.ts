import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../packages/server/src/db/database.ts'
import { saveHalfHours } from '../packages/server/src/features/monitoring/monitoring.repository.ts'
import { createLinuxHostMetrics } from '../packages/server/src/infra/host-metrics/linux-host-metrics.ts'
import { startContainers } from './containers.ts'
import { median, report } from './figures.ts'
import { serve } from './serve.ts'
import { step } from './step.ts'

const readings = 200
/** As long as somebody looks; else a reading is taken once a minute. */
const secondsBetween = 5
/** Containers of which there are real cgroups. */
const mostReal = 100

/** What it takes to read the figures of so many containers, and how long the history of 30 days is in coming. */
export async function benchMetrics(): Promise<void> {
  for (const count of [100, 1_000]) await step(`reading ${count} containers`, () => benchReadings(count))
  await benchHistory()
}

/**
 * Of cgroups of this machine, as the kernel makes their texts when they are read; and as many again that are not there, as of sites that crash. Then
 * so many more, of which no kernel has that many: files of version 2 in memory, which leaves out what the kernel does.
 */
async function benchReadings(count: number): Promise<void> {
  const machine = count <= mostReal ? await startContainers(count) : undefined
  const root = machine ? undefined : await mkdtemp('/dev/shm/panel-bench-')
  try {
    const ids = machine?.ids ?? (await writeCgroups(root!, count))
    const { readContainers } = createLinuxHostMetrics(root ? { cgroupRoot: root } : {})
    const unavailable = Array.from({ length: count / 5 }, (_, n) => n.toString(16).padStart(64, 'f'))
    const milliseconds = await costOf(() => readContainers(ids))
    const withUnavailable = await costOf(() => readContainers([...ids, ...unavailable]))
    const percent = (milliseconds / (secondsBetween * 1_000)) * 100
    report(`${count} containers read, ${machine ? 'the kernel’s' : 'of files'}`, `${milliseconds.toFixed(1)} ms of CPU`)
    report(`the same and ${unavailable.length} that are not there`, `${withUnavailable.toFixed(1)} ms of CPU`)
    const budget = count === 100 ? { value: percent, aim: '<= 1x of 1 % of a core' } : undefined
    report(`${count} containers each ${secondsBetween} s`, `${percent.toFixed(2)} %`, budget)
  } finally {
    await machine?.stop()
    if (root) await rm(root, { recursive: true })
  }
}

async function costOf(work: () => Promise<unknown>): Promise<number> {
  await work()
  const before = process.cpuUsage()
  for (let n = 0; n < readings; n++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / readings
}

async function writeCgroups(root: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => n.toString(16).padStart(64, '0'))
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  await write('cgroup.controllers', 'cpu memory\n')
  for (const id of ids) {
    await write(`docker/${id}/cgroup.procs`, `${process.pid}\n`)
    await write(`docker/${id}/memory.current`, '5000\n')
    await write(`docker/${id}/memory.max`, 'max\n')
    await write(`docker/${id}/memory.stat`, 'anon 1\nfile 1\nkernel_stack 5\nslab 7\ninactive_file 1000\n'.repeat(8))
    await write(`docker/${id}/cpu.stat`, 'usage_usec 2500000\nuser_usec 1\nsystem_usec 1\n')
  }
  return ids
}

async function benchHistory(): Promise<void> {
  const panel = await serve()
  const store = new pg.Client({ connectionString: panel.databaseUrl })
  await store.connect()
  try {
    const person = { email: 'bench@example.com', password: 'correct horse battery' }
    const registered = await fetch(`${panel.url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...person, name: 'bench', confirmPassword: person.password })
    })
    const cookie = registered.headers.get('set-cookie')!.split(';')[0]!
    await store.query(
      `insert into metric_snapshots (node_id, cpu_percent, ram_used, ram_total, disk_used, disk_total, recorded_at)
         select (select id from nodes limit 1), 10, 1, 2, 1, 2, date_trunc('minute', now()) - n * interval '1 minute' from generate_series(1, 43200) n
         on conflict do nothing`
    )
    await store.query('analyze metric_snapshots')
    const { rows } = await store.query<{ id: string }>('select id from nodes')
    const db = openDatabase(panel.databaseUrl, () => {})
    await saveHalfHours(db, rows[0]!.id, { from: new Date(0), to: new Date() })
    await db.$client.end()
    const times: number[] = []
    let points = 0
    for (let n = 0; n < 20; n++) {
      const started = performance.now()
      const answer = await fetch(`${panel.url}/api/monitoring/history?range=30d`, { headers: { cookie } })
      points = ((await answer.json()) as unknown[]).length
      times.push(performance.now() - started)
    }
    report('points of 30 days, of 43,200 rows', String(points))
    report('30 days of history', `${median(times).toFixed(1)} ms`, { value: median(times) / 50, aim: '<= 1x of 50 ms' })
  } finally {
    await store.end()
    await panel.stop()
  }
}
