import { readFile, writeFile } from 'node:fs/promises'
import pg from 'pg'
import { eventually, startTestProxy, type TestProxy } from '../e2e/domains/proxy.harness.ts'
import { openDatabase } from '../packages/server/src/db/database.ts'
import { foldTraffic } from '../packages/server/src/features/traffic/folding.jobs.ts'
import { saveTraffic } from '../packages/server/src/features/traffic/traffic.repository.ts'
import { sendCommand } from '../packages/server/src/infra/reverse-proxy/haproxy-socket.ts'
import { createHaproxyTraffic } from '../packages/server/src/infra/traffic/haproxy-traffic.ts'
import { createTrafficCount } from '../packages/server/src/infra/traffic/traffic-count.ts'
import { median, report } from './figures.ts'
import { proxyCost } from './proxy-load.ts'
import { serve } from './serve.ts'
import { step } from './step.ts'

const rounds = 5
const manySites = 10_000

/** What counting costs requests to sites, the thread that reads, the store and who looks at the figures. */
export async function benchTraffic(): Promise<void> {
  await step('requests through HAProxy, counted and not', benchProxy)
  benchReader()
  await benchStore()
}

/** The processor time of HAProxy for each request, with the log that is counted and with a configuration without it. */
async function benchProxy(): Promise<void> {
  const environment = await startTestProxy()
  const log = createHaproxyTraffic(environment.paths.trafficSocket)
  try {
    await environment.proxy.sync([
      { hostname: 'site.example.com', target: environment.first, forceHttps: false, site: 'site' },
      { hostname: 'moved.example.com', target: { kind: 'stopped' }, forceHttps: true, site: 'moved' }
    ])
    await eventually(async () => (await readFile(environment.paths.map, 'utf8')).includes('moved.example.com'))
    const counting = await readFile(environment.paths.config, 'utf8')
    const silent = counting.replace(/^ {2}(log ring@traffic|log-format|acl site|http-request set-log-level) .*\n/gm, '')
    const kinds = { 'answered by a site': 'site.example.com', 'answered by the proxy itself': 'moved.example.com' }
    const cost = new Map<string, { on: number[]; off: number[] }>()
    for (const kind of Object.keys(kinds)) cost.set(kind, { on: [], off: [] })
    // Interleaved, after one round to warm up, so that noise meets both alike.
    for (let round = 0; round <= rounds; round++)
      for (const isOn of round % 2 === 0 ? [true, false] : [false, true]) {
        await load(environment, isOn ? counting : silent)
        for (const [kind, host] of Object.entries(kinds)) {
          const microseconds = await proxyCost(environment, host)
          await log.take()
          if (round > 0) cost.get(kind)![isOn ? 'on' : 'off'].push(microseconds)
        }
      }
    for (const [kind, { on, off }] of cost) {
      report(`HAProxy, a request ${kind}: not counted`, `${median(off).toFixed(1)} us`)
      report(`HAProxy, a request ${kind}: counted`, `${median(on).toFixed(1)} us`, {
        value: median(on) / median(off),
        aim: '<= 1.1x'
      })
    }
  } finally {
    await log.close()
    await environment.close()
  }
}

async function load({ paths, workerPid }: TestProxy, config: string): Promise<void> {
  const before = await workerPid()
  await writeFile(paths.config, config)
  await sendCommand(paths.masterSocket, 'reload').catch(() => '')
  await eventually(async () => (await workerPid().catch(() => before)) !== before)
}

function benchReader(): void {
  const lines = Array.from({ length: manySites }, (_, i) => `site-of-the-benchmark-${i} 200 412 18321 23 ${i % 900}\n`)
  const text = lines.join('')
  const count = createTrafficCount()
  const read = count.openReader()
  const times: number[] = []
  for (let round = 0; round < 20; round++) {
    const started = performance.now()
    for (let at = 0; at < text.length; at += 65_536) read(text.slice(at, at + 65_536))
    times.push((performance.now() - started) * 1000)
  }
  report('The thread that reads, a request', `${(median(times) / manySites).toFixed(2)} us`)
}

/** A minute of so many sites written, a day of minutes folded, and the longest range of one of them read, among few and among many. */
async function benchStore(): Promise<void> {
  const panel = await serve()
  const store = new pg.Client({ connectionString: panel.databaseUrl })
  await store.connect()
  const db = openDatabase(panel.databaseUrl, () => {})
  try {
    const { cookie, id } = await createSite(panel.url)
    const { rows: nodes } = await store.query<{ id: string }>('select id from nodes')
    const options = { nodeId: nodes[0]!.id, namedSites: 500 }
    const traffic = (site: string) => ({
      site,
      requests: 100,
      clientErrors: 3,
      serverErrors: 1,
      bytesIn: 40_000,
      bytesOut: 900_000,
      milliseconds: 3_000,
      times: [8, 20, 12, 50, 16, 20, 20, 9, 40, 1]
    })
    const now = Math.floor(Date.now() / 60_000) * 60_000
    // All that is kept of it.
    await store.query(
      `insert into traffic_points (project_id, at, seconds, node_id, batch, requests, client_errors, server_errors, bytes_in, bytes_out, times)
       select $1, to_timestamp(m * 60), 60, $2, 'bench', 100, 3, 1, 40000, 900000, '{8,20,12,50,16,20,20,9,40,1}'::bigint[]
         from generate_series($3::int - 1499, $3::int) m
       union all select $1, to_timestamp(q * 900), 900, $2, 'bench', 100, 3, 1, 40000, 900000, '{8,20,12,50,16,20,20,9,40,1}'::bigint[]
         from generate_series($3::int / 15 - 2976, $3::int / 15 - 100) q`,
      [id, options.nodeId, now / 60_000]
    )
    const read = async (range: string) => {
      const times: number[] = []
      for (let i = 0; i < 40; i++) {
        const started = performance.now()
        const answer = await fetch(`${panel.url}/api/projects/${id}/traffic?range=${range}`, { headers: { cookie } })
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`traffic: ${answer.status}`)
        times.push(performance.now() - started)
      }
      return median(times)
    }
    const readBoth = async () => ({ day: await read('24h'), month: await read('30d') })
    const few = await step('reading the traffic of one site alone', readBoth)
    await store.query(
      `insert into projects (id, user_id, node_id, files_node_id, name, type)
       select 'bench-' || i, user_id, node_id, files_node_id, 'bench-' || i, type from projects, generate_series(1, $2::int) i where id = $1`,
      [id, manySites]
    )
    const sites = Array.from({ length: manySites }, (_, i) => traffic(`bench-${i + 1}`))
    const writes: number[] = []
    const old = now - 30 * 3_600_000
    await step(`writing 15 minutes of ${manySites.toLocaleString('en')} sites`, async () => {
      for (let minute = 0; minute < 15; minute++) {
        const started = performance.now()
        const at = new Date(Math.floor(old / 900_000) * 900_000 + minute * 60_000)
        await saveTraffic(db, { id: `old-${minute}`, at, sites, lost: 0 }, options)
        writes.push(performance.now() - started)
      }
    })
    report(`A minute of ${manySites.toLocaleString('en')} sites written`, `${median(writes).toFixed(0)} ms`)
    const started = performance.now()
    await step('folding them', () => foldTraffic({ db, now: () => new Date() }))
    report('A quarter of an hour of them folded', `${(performance.now() - started).toFixed(0)} ms`)
    await store.query('analyze')
    const many = await step('reading one site among them', readBoth)
    for (const [name, aim] of [
      ['day', '<= 1.2x'],
      ['month', '<= 1.2x']
    ] as const)
      report(`A ${name} of one read, among ${manySites.toLocaleString('en')}`, `${many[name].toFixed(1)} ms`, {
        value: many[name] / few[name],
        aim
      })
  } finally {
    await db.$client.end()
    await store.end()
    await panel.stop()
  }
}

async function createSite(url: string): Promise<{ cookie: string; id: string }> {
  const password = 'correct horse battery'
  const headers = { 'content-type': 'application/json' }
  const registered = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'bench', email: 'bench@example.com', password, confirmPassword: password })
  })
  const cookie = registered.headers.get('set-cookie')!.split(';')[0]!
  const made = await fetch(`${url}/api/projects`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ name: 'bench', type: 'NODEJS' })
  })
  return { cookie, id: ((await made.json()) as { id: string }).id }
}
