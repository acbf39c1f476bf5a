import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DmarcSummary } from '@panel/contract/mail-reports'
import { count, eq } from 'drizzle-orm'
import { dmarcReports, dmarcRows } from '../src/db/schema/dmarc-reports.ts'
import { createReportArrivals, type ReportArrivals } from '../src/features/mail-reports/arriving.service.ts'
import { deleteSurplusReports } from '../src/features/mail-reports/mail-reports.repository.ts'
import { purgeReports } from '../src/features/mail-reports/retention.jobs.ts'
import { parseDmarcReport } from '../src/infra/mail-reports/dmarc-report.ts'
import type { DmarcReport } from '../src/infra/mail-reports/mail-reports.ts'
import { dmarcXml, type ReportFacts } from './fixtures/dmarc-reports.fixture.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { newMailbox, outcome, uniqueDomain } from './support/mail.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const today = new Date('2026-11-23T12:00:00Z')
const day = 24 * 3_600_000
let now = today
let panel: TestPanel
let arrivals: ReportArrivals
let ann: Client
let bob: Client
beforeAll(async () => {
  panel = await createTestPanel({ MAIL_REPORTS_KEEP_DAYS: '60' }, { now: () => now })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  arrivals = createReportArrivals(panel.deps)
})
afterAll(() => panel.close())
afterEach(() => (now = today))

async function mailDomain(by = ann) {
  const domain = await addVerifiedDomain(by, uniqueDomain())
  await newMailbox(by, domain.id)
  return domain
}
let reports = 0
const report = (facts: ReportFacts): DmarcReport => parseDmarcReport(dmarcXml({ reportId: `r${++reports}`, ...facts }))!
const read = async (id: string, query = '', by = ann) =>
  (await by.request('GET', `/api/mail/dmarc/${id}${query}`)).json<DmarcSummary>()
const stored = async (domainId: string) => {
  const [row] = await panel.deps.db.select({ n: count() }).from(dmarcRows).where(eq(dmarcRows.domainId, domainId))
  return row!.n
}

describe('the summary', () => {
  test('of a domain without reports', async () => {
    const { id, hostname } = await mailDomain()
    expect(await read(id)).toEqual({
      domainId: id,
      domain: hostname,
      reportAddress: `postmaster@${hostname}`,
      from: '2026-10-25',
      to: '2026-11-23',
      totals: { reports: 0, messages: 0, passing: 0, failing: 0 },
      lastReportAt: null,
      sources: [],
      pagination: { page: 1, limit: 50, total: 0, totalPages: 0 }
    })
  })

  test('lists senders by day and address, sorted', async () => {
    const { id, hostname: domain } = await mailDomain()
    const service = '<dkim><domain>service.test</domain></dkim><spf><domain>bounce.service.test</domain></spf>'
    await arrivals.keep(domain, [
      report({ domain, begin: new Date('2026-11-20T00:00:00Z'), rows: [{ ip: '198.51.100.7', count: 5 }] }),
      report({
        domain,
        reporter: 'yahoo',
        rows: [
          { ip: '203.0.113.9', count: 2, dkim: 'fail', spf: 'fail', disposition: 'reject', results: service },
          { ip: '2001:db8::25', count: 7, dkim: 'pass', spf: 'fail', headerFrom: `news.${domain}` }
        ]
      })
    ])
    const summary = await read(id)
    expect(summary.totals).toEqual({ reports: 2, messages: 14, passing: 12, failing: 2 })
    expect(summary.lastReportAt).toBe(now.toISOString())
    const [first, second, third] = summary.sources
    expect(first).toEqual({
      day: '2026-11-22',
      sourceIp: '2001:db8::25',
      messages: 7,
      passes: true,
      dkim: 'pass',
      spf: 'fail',
      disposition: 'none',
      reporter: 'yahoo',
      reportId: second!.reportId,
      headerFrom: `news.${domain}`,
      dkimDomain: domain,
      spfDomain: domain
    })
    expect(second).toMatchObject({
      messages: 2,
      passes: false,
      dkim: 'fail',
      disposition: 'reject',
      dkimDomain: 'service.test',
      spfDomain: 'bounce.service.test'
    })
    expect(third).toMatchObject({ day: '2026-11-20', reporter: 'google.com', messages: 5 })
    expect((await read(id, '?result=fail')).sources).toEqual([second])
    expect((await read(id, '?result=pass')).sources).toEqual([first, third])
    expect((await read(id, '?result=fail')).totals).toEqual(summary.totals)
    const early = await read(id, '?from=2026-11-19&to=2026-11-20')
    expect([early.totals.messages, early.sources]).toEqual([5, [third]])
    const page = await read(id, '?limit=1&page=2')
    expect([page.sources, page.pagination]).toEqual([[second], { page: 2, limit: 1, total: 3, totalPages: 3 }])
  })

  test.each(['?from=yesterday', '?to=2026-02-30', '?result=none', '?limit=201', '?page=0'])(
    '%s is refused',
    async (query) => {
      const { id } = await mailDomain()
      expect((await ann.request('GET', `/api/mail/dmarc/${id}${query}`)).statusCode).toBe(400)
    }
  )

  test('is visible to the owner only', async () => {
    const { id } = await mailDomain()
    expect(outcome(await bob.request('GET', `/api/mail/dmarc/${id}`))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('an incoming report', () => {
  test('counts once, also concurrently', async () => {
    const { id, hostname: domain } = await mailDomain()
    const one = report({ domain })
    await Promise.all([arrivals.keep(domain, [one, one]), createReportArrivals(panel.deps).keep(domain, [one])])
    await arrivals.keep(domain, [one])
    expect((await read(id)).totals).toMatchObject({ reports: 1, messages: 1 })
  })

  test('with the same name but another reporter or domain is separate', async () => {
    const [one, two] = [await mailDomain(), await mailDomain(bob)]
    for (const [domain, reporter] of [
      [one, 'a'],
      [one, 'b'],
      [two, 'a']
    ] as const)
      await arrivals.keep(domain.hostname, [report({ domain: domain.hostname, reporter, reportId: 'same' })])
    expect([(await read(one.id)).totals.reports, (await read(two.id, '', bob)).totals.reports]).toEqual([2, 1])
  })

  test('about another domain than its address is ignored', async () => {
    const [one, two] = [await mailDomain(), await mailDomain(bob)]
    for (const domain of [two.hostname, `sub.${one.hostname}`, 'com', one.hostname.slice(1)])
      await arrivals.keep(one.hostname, [report({ domain })])
    expect([await stored(one.id), await stored(two.id)]).toEqual([0, 0])
  })

  test.each([
    ['long ago', -61 * day],
    ['in days to come', 2 * day]
  ])('about a time %s is skipped', async (_, offset) => {
    const { id, hostname: domain } = await mailDomain()
    await arrivals.keep(domain, [report({ domain, begin: new Date(today.getTime() + offset) })])
    expect(await stored(id)).toBe(0)
  })

  test('for a domain without mail or a deleted one is ignored', async () => {
    expect(await arrivals.isWanted('nobody.example.com')).toBe(false)
    const { id, hostname: domain } = await mailDomain()
    expect(await arrivals.isWanted(domain)).toBe(true)
    await ann.request('DELETE', `/api/domains/${id}`)
    await arrivals.keep(domain, [report({ domain })])
    expect(await stored(id)).toBe(0)
  })

  test('over the hourly limit is dropped; other domains are not affected', async () => {
    const [one, two] = [await mailDomain(), await mailDomain(bob)]
    const taken: boolean[] = []
    for (let sent = 0; sent < 130; sent++) taken.push(await arrivals.isWanted(one.hostname))
    expect([taken[0], taken[119], taken[120], taken[129]]).toEqual([true, true, false, false])
    expect(await arrivals.isWanted(two.hostname)).toBe(true)
    now = new Date(today.getTime() + 3_600_000)
    expect(await arrivals.isWanted(one.hostname)).toBe(true)
  })
})

describe('retention', () => {
  test('removes old ones', async () => {
    const { id, hostname: domain } = await mailDomain()
    await arrivals.keep(domain, [report({ domain }), report({ domain, begin: new Date(today.getTime() - 50 * day) })])
    now = new Date(today.getTime() + 11 * day)
    await purgeReports(panel.deps)
    const left = await panel.deps.db.select().from(dmarcRows).where(eq(dmarcRows.domainId, id))
    expect(left.map((row) => row.day)).toEqual(['2026-11-22'])
    now = new Date(today.getTime() + 62 * day)
    await purgeReports(panel.deps)
    expect(await stored(id)).toBe(0)
  })

  test('limits each domain, oldest first', async () => {
    const [full, other] = [await mailDomain(), await mailDomain(bob)]
    const rows = Array.from({ length: 100 }, (_, index) => ({ ip: `198.51.100.${index}` }))
    for (const hours of [3, 2, 1]) {
      now = new Date(today.getTime() - hours * 3_600_000)
      await arrivals.keep(full.hostname, [report({ domain: full.hostname, rows, reporter: `from ${hours}` })])
    }
    await arrivals.keep(other.hostname, [report({ domain: other.hostname, rows })])
    await deleteSurplusReports(panel.deps.db, 250)
    expect([await stored(full.id), await stored(other.id)]).toEqual([200, 100])
    const left = await panel.deps.db.select().from(dmarcReports).where(eq(dmarcReports.domainId, full.id))
    expect(left.map(({ reporter }) => reporter).toSorted()).toEqual(['from 1', 'from 2'])
  })

  test('ends with the domain', async () => {
    const { id, hostname: domain } = await mailDomain()
    await arrivals.keep(domain, [report({ domain })])
    await ann.request('DELETE', `/api/domains/${id}`)
    expect(await stored(id)).toBe(0)
  })
})
