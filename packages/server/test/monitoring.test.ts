import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DiskUsageDay } from '@panel/contract/disk-usage'
import type { ContainerMetric, MetricSnapshot, ProjectMetric, ServerMetrics } from '@panel/contract/monitoring'
import type { NotificationList } from '@panel/contract/notifications'
import { diskUsageHistory } from '../src/db/schema/disk-usage-history.ts'
import { metricHalfHours, metricSnapshots, projectMetrics } from '../src/db/schema/monitoring.ts'
import { projects } from '../src/db/schema/projects.ts'
import { readContainers } from '../src/features/monitoring/container-reading.service.ts'
import { saveHalfHours } from '../src/features/monitoring/monitoring.repository.ts'
import { condenseMetrics, recordMinute } from '../src/features/monitoring/recording.jobs.ts'
import { followThresholds } from '../src/features/monitoring/thresholds.service.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { containerSpec } from './contracts/container-engine.contract.ts'
import type { MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { createMemoryHostMetrics } from './fakes/memory-host-metrics.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const start = new Date('2026-03-01T12:00:30Z')
const minute = 60_000
let now = start
let panel: TestPanel
let admin: Client
let ann: Client
const hostMetrics = createMemoryHostMetrics()
beforeAll(async () => {
  panel = await createTestPanel({}, { hostMetrics, now: () => now })
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
})
afterAll(() => panel?.close())

const get = async <T>(by: Client, url: string) => {
  const answer = await by.request('GET', url)
  expect([url, answer.statusCode]).toEqual([url, 200])
  return answer.json<T>()
}
async function running(by: Client) {
  const project = await by.createProject()
  const containerId = randomBytes(32).toString('hex')
  await panel.deps.db.update(projects).set({ containerId }).where(eq(projects.id, project.id))
  hostMetrics.containers.set(containerId, {
    cpuSeconds: 5,
    memoryUsed: 1000,
    memoryLimit: 2000,
    network: { received: 7, sent: 8 }
  })
  return { ...project, containerId }
}

test('the server; unreadable values are null', async () => {
  expect(await get<ServerMetrics>(admin, '/api/monitoring/server')).toMatchObject({
    cpuPercent: 50,
    cpuCoreCount: 1,
    loadAverage: [0.5, 0.4, 0.3],
    ramTotal: 2 ** 32,
    diskUsed: 10 * 2 ** 30,
    networkSent: 20
  })
  expect((await ann.request('GET', '/api/monitoring/server')).statusCode).toBe(403)
})

test('containers: own ones, all for administrators; vanished ones are omitted', async () => {
  const [hers, his] = [await running(ann), await running(admin)]
  const ids = (list: ContainerMetric[]) => list.map(({ containerId }) => containerId)
  await expect.poll(async () => ids(await get(admin, '/api/monitoring/containers'))).toHaveLength(2)
  expect(await get(ann, '/api/monitoring/containers')).toMatchObject([
    {
      containerId: hers.containerId,
      projectId: hers.id,
      name: hers.name,
      ramUsed: 1000,
      ramLimit: 2000,
      networkSent: 8
    }
  ])
  hostMetrics.containers.delete(his.containerId)
  await expect.poll(async () => ids(await get(admin, '/api/monitoring/containers'))).toEqual([hers.containerId])
})

test('a minute is one row, and projects have a history', async () => {
  const project = await running(ann)
  await recordMinute(panel.deps)
  await Promise.all([recordMinute(panel.deps), recordMinute(panel.deps)])
  const [snapshot, ...others] = await get<MetricSnapshot[]>(admin, '/api/monitoring/history?range=1h')
  expect(others).toEqual([])
  expect(snapshot).toEqual({
    id: expect.any(Number) as number,
    cpu_percent: 50,
    ram_used: 2 ** 30,
    ram_total: 2 ** 32,
    disk_used: 10 * 2 ** 30,
    disk_total: 100 * 2 ** 30,
    network_received: 0,
    network_sent: 0,
    recorded_at: '2026-03-01T12:00:00.000Z'
  })
  expect(await get<MetricSnapshot[]>(admin, '/api/monitoring/history?range=30d')).toEqual([snapshot])
  const url = `/api/projects/${project.id}/metrics`
  expect(await get<ProjectMetric[]>(ann, `${url}?range=1h`)).toMatchObject([{ ramUsed: 1000 }])
  expect((await admin.request('GET', url)).statusCode).toBe(403)
  now = new Date(start.getTime() + 20 * minute)
  const written = async () =>
    (await panel.deps.db.execute(sql`select xmin, ctid from project_metrics where minutes > 1 order by ctid`)).rows
  await condenseMetrics(panel.deps)
  const first = await written()
  expect(first.length).toBeGreaterThan(0)
  await condenseMetrics(panel.deps)
  expect(await written(), 'what was condensed is left alone').toEqual(first)
  expect(await get<ProjectMetric[]>(ann, `${url}?range=7d`)).toMatchObject([
    { recordedAt: '2026-03-01T12:00:00.000Z', ramUsed: 1000 }
  ])
  await ann.request('DELETE', `/api/projects/${project.id}`)
  expect(await panel.deps.db.$count(projectMetrics, eq(projectMetrics.projectId, project.id))).toBe(0)
})

test('network bytes count once across processes and restarts', async () => {
  const project = await running(ann)
  const processes = [hostMetrics, createMemoryHostMetrics(), createMemoryHostMetrics()]
  // Includes a gap in minute 4, a container restart in minute 6 and a host reboot at the end.
  const counted = [100, 700, 1_000, undefined, 1_600, 250, 300, 40]
  for (const [n, received] of counted.entries()) {
    now = new Date(now.getTime() + minute)
    const of = { ...processes[n % processes.length]! }
    if (received === undefined) of.readContainers = async () => new Map()
    else {
      const network = { received, sent: 2 * received }
      for (const { containers } of processes)
        containers.set(project.containerId, { cpuSeconds: n, memoryUsed: 1, memoryLimit: undefined, network })
    }
    if (n === counted.length - 1)
      of.readHost = async (directory) => ({ ...(await hostMetrics.readHost(directory)), bootId: 'another' })
    await recordMinute({ ...panel.deps, hostMetrics: of })
  }
  const points = await get<ProjectMetric[]>(ann, `/api/projects/${project.id}/metrics?range=1h`)
  expect(points.map(({ networkReceived }) => networkReceived)).toEqual([100, 600, 300, 600, 250, 50, 40])
  expect(points.map(({ networkSent }) => networkSent)).toEqual([200, 1_200, 600, 1_200, 500, 100, 80])
})

test('a container without a visible cgroup is read from the engine', async () => {
  const project = await ann.createProject()
  const engine = panel.deps.engine as MemoryContainerEngine
  const labels = { [label.instance]: 'test' }
  await engine.ensureNetwork('n', labels)
  await engine.importImage(Readable.from([]), 'base:1', [])
  const containerId = await engine.createContainer(containerSpec({ image: 'base:1', labels, command: [], network: 'n', address: '172.30.0.9' })) // oxfmt-ignore
  await engine.startContainer(containerId)
  await panel.deps.db.update(projects).set({ containerId }).where(eq(projects.id, project.id))
  const ask = () => readContainers(panel.deps, [containerId])
  expect((await ask()).get(containerId)).toMatchObject({ memoryUsed: 2 ** 20, network: { sent: 20 } })
  await recordMinute(panel.deps)
  const minutes = await get<ProjectMetric[]>(ann, `/api/projects/${project.id}/metrics?range=1h`)
  expect(minutes).toMatchObject([{ ramUsed: 2 ** 20, networkReceived: 10 }])
  await engine.stopContainer(containerId, 0)
  expect((await ask()).size).toBe(0)
  await engine.startContainer(containerId)
  expect((await ask()).size, 'it is not asked for again at once').toBe(0)
})

test('a stopped project is not looked up', async () => {
  const project = await running(ann)
  const requested: string[] = []
  const readContainers = (ids: readonly string[]) => (requested.push(...ids), hostMetrics.readContainers(ids))
  const record = () => recordMinute({ ...panel.deps, hostMetrics: { ...hostMetrics, readContainers } })
  await record()
  expect(requested).toContain(project.containerId)
  await panel.deps.db.update(projects).set({ status: 'STOPPED' }).where(eq(projects.id, project.id))
  requested.length = 0
  await record()
  expect(requested).not.toContain(project.containerId)
})

test('a clock change by a day keeps every minute once in order', async () => {
  for (const table of [metricSnapshots, metricHalfHours]) await panel.deps.db.delete(table)
  const at = now
  const steps = [0, 1, 24 * 60, 24 * 60 + 1, 2, 1, 3]
  for (const step of steps) {
    now = new Date(at.getTime() + step * minute)
    await recordMinute(panel.deps)
  }
  now = new Date(at.getTime() + 24 * 60 * minute + minute)
  const times = (await get<MetricSnapshot[]>(admin, '/api/monitoring/history?range=7d')).map(
    ({ recorded_at }) => recorded_at
  )
  expect(times).toEqual([...new Set(times)].sort())
  const [{ n } = { n: '' }] = await panel.deps.db.select({ n: sql<string>`count(*)` }).from(metricSnapshots)
  expect(Number(n)).toBe(new Set(steps).size)
  now = at
})

test('an engine that is down keeps kernel metrics; a full database loses one minute', async () => {
  await running(ann)
  const engine = panel.deps.engine as MemoryContainerEngine
  engine.fail = 'unreachable'
  expect((await get<ContainerMetric[]>(ann, '/api/monitoring/containers')).length).toBeGreaterThan(0)
  engine.fail = undefined
  for (const table of [metricSnapshots, metricHalfHours]) await panel.deps.db.delete(table)
  await panel.deps.db.execute(sql`
    create function no_room() returns trigger language plpgsql as $$ begin raise exception 'no room' using errcode = '53100'; end $$`)
  await panel.deps.db.execute(sql`create trigger no_room before insert on metric_snapshots execute function no_room()`)
  await expect(recordMinute(panel.deps)).rejects.toThrow()
  await panel.deps.db.execute(sql`drop function no_room cascade`)
  now = new Date(now.getTime() + minute)
  await recordMinute(panel.deps)
  expect(await get<MetricSnapshot[]>(admin, '/api/monitoring/history?range=1h')).toHaveLength(1)
})

test('a threshold is notified once, at its end, and again later', async () => {
  const minutes = [...Array<number>(3).fill(0), ...Array<number>(6).fill(95), ...Array<number>(5).fill(10), ...Array<number>(3).fill(95)] // oxfmt-ignore
  for (const diskUsed of minutes) {
    now = new Date(now.getTime() + minute)
    const figures = { cpuPercent: 1, ramUsed: 1, ramTotal: 2, diskUsed, diskTotal: 100, timestamp: now.toISOString() }
    // As another process, which knows only the database.
    await panel.deps.db.transaction((trx) => followThresholds(panel.deps, trx, figures))
  }
  const { notifications } = (await admin.request('GET', '/api/notifications')).json<NotificationList>()
  const notified = notifications.filter(({ kind }) => kind === 'disk-nearly-full')
  expect(notified.map(({ state }) => state)).toEqual(['problem', 'recovered', 'problem'])
  expect(notified[0]!.text).toContain('Server disk usage is 95 %, above 90 %')
})

test('30 days have at most 1,500 points by index; older ones are deleted', async () => {
  for (const table of [metricSnapshots, metricHalfHours]) await panel.deps.db.delete(table)
  await panel.deps.db.execute(sql`
    insert into metric_snapshots (node_id, cpu_percent, ram_used, ram_total, disk_used, disk_total, recorded_at)
    select 'test', n % 2 * 100, 4000000000 + n, 8000000000, 1, 2, ${now.toISOString()}::timestamptz - n * interval '1 minute'
    from generate_series(0, 45000) n`)
  await panel.deps.db.execute(sql`analyze metric_snapshots`)
  await saveHalfHours(panel.deps.db, 'test', { from: new Date(0), to: new Date(now.getTime() + 30 * minute) })
  for (const [range, points] of Object.entries({ '1h': 60, '24h': 1440, '7d': 1008, '30d': 1440 })) {
    const found = await get<MetricSnapshot[]>(admin, `/api/monitoring/history?range=${range}`)
    expect(Math.abs(found.length - points)).toBeLessThanOrEqual(1)
    expect(found.map(({ recorded_at }) => recorded_at)).toEqual(found.map(({ recorded_at }) => recorded_at).sort())
  }
  const [, point] = await get<MetricSnapshot[]>(admin, '/api/monitoring/history?range=30d')
  expect(point!.cpu_percent).toBe(50)
  const { rows } = await panel.deps.db.execute(sql`
    explain select * from metric_snapshots where node_id = 'test' and recorded_at > ${new Date(now.getTime() - 60 * minute).toISOString()}`)
  expect(JSON.stringify(rows)).toContain('metric_snapshots_recorded')
  await condenseMetrics(panel.deps)
  const [left] = await panel.deps.db.select({ n: sql<string>`count(*)` }).from(metricSnapshots)
  expect(Math.abs(Number(left!.n) - 43_200)).toBeLessThanOrEqual(1)
  expect(Math.abs((await panel.deps.db.$count(metricHalfHours)) - 1_440)).toBeLessThanOrEqual(1)
})

test('daily disk usage is visible to the account and those above', async () => {
  const day = (back: number) => new Date(now.getTime() - back * 24 * 60 * minute).toISOString().slice(0, 10)
  await panel.deps.db.insert(diskUsageHistory).values([
    { userId: ann.user.id, kind: 'FILES', day: day(2), bytes: 10 },
    { userId: ann.user.id, kind: 'DATABASES', day: day(2), bytes: 5 },
    { userId: ann.user.id, kind: 'FILES', day: day(1), bytes: 20 },
    { userId: ann.user.id, kind: 'FILES', day: day(300), bytes: 1 }
  ])
  const url = `/api/users/${ann.user.id}/disk-usage/history?days=30`
  for (const by of [ann, admin])
    expect((await get<DiskUsageDay[]>(by, url)).map((each) => [each.day, each.usedBytes])).toEqual([
      [day(2), 15],
      [day(1), 20]
    ])
  const stranger = await panel.createUser(admin)
  expect((await stranger.request('GET', url)).statusCode).toBeGreaterThanOrEqual(403)
})
