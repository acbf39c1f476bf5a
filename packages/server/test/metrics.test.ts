import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificates } from '../src/db/schema/certificates.ts'
import { metricSnapshots, projectMetrics } from '../src/db/schema/monitoring.ts'
import { diskUsage } from '../src/db/schema/disk-usage.ts'
import { recordFigures } from '../src/features/figures/figures.service.ts'
import { saveTraffic } from '../src/features/traffic/traffic.repository.ts'
import { newId } from '../src/security/ids.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { uniqueDomain } from './support/mail.ts'
import { createTestPanel, type TestPanel } from './support/panel.ts'

const token = 'a-token-of-prometheus'
const deployed = (name: string) => fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url))
let panel: TestPanel
let text: string
beforeAll(async () => {
  panel = await createTestPanel({ METRICS_TOKEN: token, METRICS_SITES: '1' })
  const ann = await panel.signUp('ann')
  const shop = await ann.createProject({ name: 'shop' })
  const blog = await ann.createProject({ name: 'blog' })
  const site = {
    requests: 4,
    clientErrors: 1,
    serverErrors: 2,
    bytesIn: 5,
    bytesOut: 6,
    milliseconds: 1030,
    times: [8, 3, 40, 1]
  }
  const batch = { id: newId(), at: new Date(), lost: 3 }
  const options = { nodeId: panel.deps.nodeId, namedSites: 1 }
  await saveTraffic(panel.deps.db, { ...batch, sites: [{ site: shop.id, ...site }] }, options)
  await saveTraffic(panel.deps.db, { ...batch, id: newId(), lost: 0, sites: [{ site: blog.id, ...site }] }, options)
  const domain = await addVerifiedDomain(ann, uniqueDomain())
  await panel.deps.db.insert(certificates).values({
    id: newId(),
    domainId: domain.id,
    commonName: 'a"} 1\nb',
    chain: 'served',
    validTo: new Date('2030-01-01')
  })
  await panel.deps.db
    .insert(diskUsage)
    .values({ userId: shop.userId, kind: 'FILES', bytes: 77, measuredAt: new Date() })
    .onConflictDoUpdate({ target: [diskUsage.userId, diskUsage.kind], set: { bytes: 77 } })
  const recordedAt = new Date()
  await panel.deps.db.insert(metricSnapshots).values([
    { nodeId: 'test', cpuPercent: 90, recordedAt: new Date(recordedAt.getTime() - 60_000) },
    { nodeId: 'test', cpuPercent: 25, ramUsed: 5, ramTotal: 9, diskUsed: null, diskTotal: 9, networkSent: 7, loadAverage: [2, 1.5, 1], uptimeSeconds: 90, recordedAt }, // oxfmt-ignore
    { nodeId: 'gone', cpuPercent: 10, recordedAt: new Date(recordedAt.getTime() - 600_000) }
  ])
  const used = { nodeId: 'test', minutes: 1, recordedAt, cpuPercent: 150, diskUsed: 3, networkReceived: 120 }
  await panel.deps.db.insert(projectMetrics).values([
    { ...used, projectId: shop.id, ramUsed: 100 },
    { ...used, projectId: blog.id, ramUsed: 200 },
    { ...used, projectId: blog.id, ramUsed: 9_000, recordedAt: new Date(recordedAt.getTime() - 60_000) },
    { ...used, projectId: (await ann.createProject({ name: 'small' })).id, ramUsed: 1 },
    { ...used, projectId: 'deleted', ramUsed: 300 }
  ])
  await panel.deps.db.transaction((trx) => panel.deps.jobs.enqueue(trx, 'traffic.fold', {}))
  await recordFigures(panel.deps)
  text = await scrape()
})
afterAll(() => panel.close())

const scrape = async () =>
  (await panel.app.inject({ method: 'GET', url: '/metrics', headers: { authorization: `Bearer ${token}` } })).payload
const valueOf = (line: string) =>
  Number(
    text
      .split('\n')
      .find((one) => one.startsWith(`${line} `))
      ?.split(' ')
      .pop()
  )

test('one site is labelled, the others are summed', () => {
  for (const [project, requests] of [
    ['shop', 4],
    ['other', 4]
  ] as const) {
    const id = project === 'other' ? 'other' : /project_id="([^"]+)",project="shop"/.exec(text)?.[1]
    const labels = `project_id="${id}",project="${project}"`
    expect(valueOf(`panel_site_requests_total{${labels}}`), project).toBe(requests)
    expect(valueOf(`panel_site_errors_total{${labels},class="5xx"}`)).toBe(2)
    expect(valueOf(`panel_site_response_seconds_bucket{${labels},le="0.004"}`)).toBe(3)
    expect(valueOf(`panel_site_response_seconds_bucket{${labels},le="+Inf"}`)).toBe(4)
    expect(valueOf(`panel_site_response_seconds_sum{${labels}}`)).toBe(1.03)
  }
  expect(text).not.toMatch(/^panel_site_.*project="blog"/m)
  expect(valueOf('panel_site_requests_lost_total')).toBe(3)
})

test('current machine metrics and projects: the largest is labelled, the others are summed', () => {
  expect(valueOf('panel_server_cpu_ratio{node="test"}')).toBe(0.25)
  expect(text).not.toContain('node="gone"')
  expect(text).not.toContain('panel_server_disk_used_bytes{')
  expect(text).toMatch(/^panel_project_memory_bytes\{project_id="[^"]+",project="blog"\} 200$/m)
  expect(valueOf('panel_project_memory_bytes{project_id="other",project="other"}')).toBe(101)
  expect(valueOf('panel_project_cpu_cores{project_id="other",project="other"}')).toBe(3)
})

test('network, load and uptime', () => {
  expect(valueOf('panel_server_network_sent_bytes_per_second{node="test"}')).toBe(7)
  expect(text).not.toContain('panel_server_network_received_bytes_per_second{')
  expect(['1', '5', '15'].map((minutes) => valueOf(`panel_server_load{node="test",minutes="${minutes}"}`))).toEqual([2, 1.5, 1]) // oxfmt-ignore
  expect(valueOf('panel_server_uptime_seconds{node="test"}')).toBe(90)
  expect(text).toMatch(/^panel_project_network_received_bytes_per_second\{project_id="[^"]+",project="blog"\} 2$/m)
  expect(valueOf('panel_project_network_received_bytes_per_second{project_id="other",project="other"}')).toBe(4)
})

test('other metrics', () => {
  expect(valueOf('panel_mailboxes')).toBe(0)
  expect(valueOf('panel_mail_queue_messages{state="held"}')).toBe(0)
  expect(valueOf('panel_database_connections{engine="MYSQL"}')).toBe(0)
  expect(valueOf('panel_mail_deliveries_per_minute{status="bounced"}')).toBe(0)
  expect(valueOf('panel_disk_used_bytes{kind="FILES"}')).toBe(77)
  expect(text).toMatch(/^panel_certificate_expiry_timestamp_seconds\{hostname="[^"]+"\} 1893456000$/m)
})

test('promtool accepts it', async () => {
  const check = promisify(execFile)('promtool', ['check', 'metrics'])
  check.child.stdin!.end(text)
  expect(await check).toEqual({ stdout: '', stderr: '' })
})

test('promtool accepts rules and example configuration', async () => {
  const rules = await promisify(execFile)('promtool', [
    'check',
    'rules',
    deployed('prometheus/hosting-panel.rules.yml')
  ])
  expect(rules.stdout).toContain('SUCCESS')
  const example = deployed('prometheus/prometheus.yml')
  const config = await promisify(execFile)('promtool', ['check', 'config', '--syntax-only', example])
  expect(config.stdout).toContain('SUCCESS')
})

test('every metric used by dashboard and rules exists', async () => {
  const dashboard = await readFile(deployed('grafana/hosting-panel.json'), 'utf8')
  const rules = await readFile(deployed('prometheus/hosting-panel.rules.yml'), 'utf8')
  expect(JSON.parse(dashboard)).toMatchObject({ title: 'Hosting panel' })
  const named = new Set(`${dashboard}${rules}`.match(/\b(panel|http)_[a-z0-9_]+/g))
  expect(named.size).toBeGreaterThan(8)
  const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!]
  )
  expect([...named].filter((name) => !families.includes(name))).toEqual([])
})
