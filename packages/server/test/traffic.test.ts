import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Traffic } from '@panel/contract/traffic'
import { eq, inArray } from 'drizzle-orm'
import { trafficPoints, trafficTotals } from '../src/db/schema/traffic.ts'
import { countTraffic } from '../src/features/traffic/counting.watch.ts'
import { foldTraffic } from '../src/features/traffic/folding.jobs.ts'
import { sumTotals } from '../src/features/traffic/traffic-totals.repository.ts'
import { saveTraffic } from '../src/features/traffic/traffic.repository.ts'
import { newId } from '../src/security/ids.ts'
import type { SiteTraffic } from '../src/infra/traffic/traffic.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const today = new Date('2026-11-23T12:00:30Z')
const minute = 60_000
const day = 24 * 3_600_000
let now = today
let panel: TestPanel
let ann: Client
let bob: Client
let shop: string
let blog: string
beforeAll(async () => {
  panel = await createTestPanel({}, { now: () => now })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  shop = await makeProject(ann, 'shop')
  blog = await makeProject(bob, 'blog')
})
afterAll(() => panel.close())
afterEach(async () => {
  now = today
  await panel.deps.db.delete(trafficPoints)
  await panel.deps.db.delete(trafficTotals)
})

const makeProject = async (by: Client, name: string) => (await by.createProject({ name })).id
const site = (id: string, values: Partial<SiteTraffic> = {}): SiteTraffic => ({
  site: id,
  requests: 10,
  clientErrors: 2,
  serverErrors: 1,
  bytesIn: 100,
  bytesOut: 1000,
  milliseconds: 1060,
  // Nine of 4 ms and one of 1,024 ms.
  times: [8, 9, 40, 1],
  ...values
})
const save = (at: Date, sites: SiteTraffic[], { id = newId(), lost = 0, namedSites = 500 } = {}) =>
  saveTraffic(panel.deps.db, { id, at, sites, lost }, { nodeId: panel.deps.nodeId, namedSites })
const read = async (id: string, range = '', by = ann) =>
  (await by.request('GET', `/api/projects/${id}/traffic${range && `?range=${range}`}`)).json<Traffic>()
const ago = (ms: number) => new Date(Math.floor((today.getTime() - ms) / minute) * minute)

describe('reading', () => {
  test('a site without requests', async () => {
    expect(await read(shop)).toEqual({
      range: '24h',
      stepSeconds: 60,
      total: {
        requests: 0,
        clientErrors: 0,
        serverErrors: 0,
        errorShare: null,
        bytesIn: 0,
        bytesOut: 0,
        p50Ms: null,
        p95Ms: null
      },
      points: []
    })
  })

  test('own minutes, summed across processes, with quantiles', async () => {
    await save(ago(minute), [site(shop), site(blog, { requests: 77 })])
    await save(ago(minute), [site(shop, { times: [8, 10] })])
    await save(ago(5 * minute), [site(shop)])
    const { points, total } = await read(shop, '1h')
    expect(points).toMatchObject([
      { at: ago(5 * minute).toISOString(), requests: 10, p50Ms: 4, p95Ms: 1024 },
      { at: ago(minute).toISOString(), requests: 20, p50Ms: 4, p95Ms: 4 }
    ])
    expect(total).toEqual({
      requests: 30,
      clientErrors: 6,
      serverErrors: 3,
      errorShare: 0.1,
      bytesIn: 300,
      bytesOut: 3000,
      p50Ms: 4,
      p95Ms: 1024
    })
    expect((await read(blog, '1h', bob)).total.requests).toBe(77)
  })

  test('ranges in steps', async () => {
    await save(ago(2 * 3_600_000), [site(shop)])
    await save(ago(3 * 3_600_000), [site(shop)])
    await save(ago(6 * day), [site(shop)])
    await save(ago(31 * day), [site(shop)])
    const requests = async (range: string) => (await read(shop, range)).total.requests
    expect([await requests('1h'), await requests('24h'), await requests('7d'), await requests('30d')]).toEqual([
      0, 20, 30, 30
    ])
    for (const { at } of (await read(shop, '30d')).points) expect(Date.parse(at) % 3_600_000).toBe(0)
  })

  test('is private, with fixed ranges', async () => {
    expect((await bob.request('GET', `/api/projects/${shop}/traffic`)).statusCode).toBe(403)
    expect((await ann.request('GET', `/api/projects/${shop}/traffic?range=1y`)).statusCode).toBe(400)
  })
})

describe('writing', () => {
  test('a batch counts once', async () => {
    const id = newId()
    for (let i = 0; i < 3; i++) await save(ago(minute), [site(shop)], { id })
    expect((await read(shop)).total.requests).toBe(10)
    const [total] = await sumTotals(panel.deps.db, 500)
    expect(total).toMatchObject({ project_id: shop, requests: '10', milliseconds: '1060' })
    expect(total!.histogram.map(Number)).toEqual([9, 0, 0, 0, 1, 0, 0, 0, 0])
  })

  test('a deleted site does not block others', async () => {
    await save(ago(minute), [site('gone'), site(shop)])
    expect((await read(shop)).total.requests).toBe(10)
  })

  test('sites beyond the limit are summed', async () => {
    await save(ago(minute), [site(shop)], { namedSites: 1 })
    await save(ago(minute), [site(shop), site(blog, { requests: 70 })], { namedSites: 1, lost: 4 })
    const totals = async () =>
      Object.fromEntries(
        (await sumTotals(panel.deps.db, 500)).map((row) => [row.name ?? 'other', [row.requests, row.lost]])
      )
    expect(await totals()).toEqual({ shop: ['20', '0'], other: ['70', '4'] })
    const late = await makeProject(ann, 'zz-late')
    await save(ago(0), [site(shop), site(blog, { requests: 1 }), site(late)], { namedSites: 2 })
    expect(await totals()).toEqual({ shop: ['30', '0'], 'zz-late': ['10', '0'], other: ['71', '4'] })
  })

  test('a database outage delays writes to their minute', async () => {
    const batches = [[], [site(shop)], [site(shop, { requests: 5 })]]
    let isUnavailable = true
    const deps = {
      ...panel.deps,
      now: () => now,
      db: new Proxy(panel.deps.db, {
        get: (db, name) => {
          if (isUnavailable && name === 'transaction') return () => Promise.reject(new Error('away'))
          return Reflect.get(db, name, db) as unknown
        }
      })
    }
    const ended = new AbortController()
    const counting = countTraffic({
      ...deps,
      siteTraffic: {
        take: async () => ({ sites: batches.shift() ?? [], lost: 0 }),
        takeLogIns: async () => [],
        close: async () => {}
      }
    })
    now = ago(2 * minute)
    await counting.begin(ended.signal)
    now = ago(minute)
    await expect(counting.flush()).rejects.toThrow('away')
    now = ago(0)
    isUnavailable = false
    ended.abort()
    await counting.close()
    expect((await read(shop)).points.map(({ at, requests }) => [at, requests])).toEqual([
      [ago(2 * minute).toISOString(), 10],
      [ago(minute).toISOString(), 5]
    ])
  })
})

describe('retention', () => {
  test('minutes become quarter hours after a day, deleted after a month', async () => {
    await save(ago(2 * day + 16 * minute), [site(shop), site(blog)])
    await save(ago(2 * day + 17 * minute), [site(shop, { times: [8, 1, 12, 4] }), site(blog, { times: [] })])
    await save(ago(minute), [site(shop)])
    await save(ago(31 * day + 16 * minute), [site(shop)])
    const before = [(await read(shop, '7d')).total, (await read(blog, '7d', bob)).total]
    const deps = { db: panel.deps.db, now: () => now }
    await foldTraffic(deps, { projects: 1, rows: 1 })
    await foldTraffic(deps)
    expect([(await read(shop, '7d')).total, (await read(blog, '7d', bob)).total]).toEqual(before)
    const rows = await panel.deps.db
      .select({ seconds: trafficPoints.seconds, at: trafficPoints.at, times: trafficPoints.times })
      .from(trafficPoints)
      .where(eq(trafficPoints.projectId, shop))
      .orderBy(trafficPoints.at)
    expect(rows).toEqual([
      { seconds: 900, at: ago(2 * day + 30 * minute), times: [8, 10, 12, 4, 40, 1] },
      { seconds: 60, at: ago(minute), times: [8, 9, 40, 1] }
    ])
  })

  test('a quarter hour has one row per site', async () => {
    for (let i = 0; i < 15; i++) await save(ago(2 * day + (i + 16) * minute), [site(shop), site(blog)])
    await foldTraffic({ db: panel.deps.db, now: () => now }, { projects: 1 })
    expect(await panel.deps.db.$count(trafficPoints)).toBe(2)
  })

  test('deleted projects stay in the total', async () => {
    const [named, other] = [await makeProject(ann, 'gone-named'), await makeProject(ann, 'gone-other')]
    await save(ago(minute), [site(named)], { namedSites: 1 })
    await save(ago(minute), [site(other, { requests: 7 }), site(blog, { requests: 70 })], { namedSites: 1 })
    for (const id of [named, other]) expect((await ann.request('DELETE', `/api/projects/${id}`)).statusCode).toBe(204)
    expect(await panel.deps.db.$count(trafficPoints, inArray(trafficPoints.projectId, [named, other]))).toBe(0)
    const totals = async () => (await sumTotals(panel.deps.db, 500)).map(({ name, requests }) => [name, requests])
    expect(await totals()).toEqual([[null, '77']])
    for (let i = 0; i < 2; i++) await foldTraffic({ db: panel.deps.db, now: () => now })
    expect(await totals()).toEqual([[null, '77']])
    expect(await panel.deps.db.$count(trafficTotals)).toBe(2)
    await save(ago(0), [site(named), site(shop)], { namedSites: 1 })
    expect(await totals()).toEqual(expect.arrayContaining([['shop', '10']]))
    expect(await panel.deps.db.$count(trafficTotals)).toBe(3)
  })
})
