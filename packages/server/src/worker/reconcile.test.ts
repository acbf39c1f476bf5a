import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { countLagMs } from '../db/table-writes.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ReconcileStep, WorkerContext } from '../features/feature.ts'
import { reconcile } from './reconcile.ts'
import { createReconciler } from './reconciler.ts'

const run = async (steps: readonly ReconcileStep[]) => {
  const logged: { step: string }[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const deps = { logger, features: [{ name: 'a', reconcile: steps }] } as unknown as Dependencies
  await reconcile(deps, {} as WorkerContext)
  return logged.map(({ step }) => step)
}

test('a failing step is logged and the others run', async () => {
  const done: string[] = []
  const failed = await run([
    { name: 'routes', on: {}, run: () => Promise.reject(new Error('away')) },
    { name: 'zones', on: {}, run: async () => done.push('zones') }
  ])
  expect([failed, done]).toEqual([['routes'], ['zones']])
})

test('a failure is logged once, and again when it changes or recurs', async () => {
  let problem: string | undefined = 'away'
  const step: ReconcileStep = { name: 'zones', on: {}, run: async () => problem && Promise.reject(new Error(problem)) }
  const counts: number[] = []
  for (const next of ['away', 'away', 'refused', 'refused', undefined, 'refused']) {
    problem = next
    counts.push((await run([step])).length)
  }
  expect(counts).toEqual([1, 0, 1, 0, 0, 1])
})

test('first steps finish before the others start', async () => {
  const done: string[] = []
  await run([
    { name: 'containers', on: {}, run: async () => done.push('containers') },
    {
      name: 'deployments',
      on: { commits: true },
      isFirst: true,
      run: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        done.push('deployments')
      }
    }
  ])
  expect(done).toEqual(['deployments', 'containers'])
})

describe('rounds', () => {
  const worker = {} as WorkerContext

  afterEach(() => vi.useRealTimers())

  const open = (steps: readonly ReconcileStep[], env: { RECONCILE_FULL_SECONDS?: number } = {}, timeoutMs?: number) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const writes: Record<string, number> = { domains: 0, projects: 0 }
    const store = { commits: 0, counted: 0 }
    const db = {
      async execute(query: SQL) {
        if (new PgDialect().sqlToQuery(query).sql.includes('pg_current_snapshot'))
          return { rows: [{ commits: String(store.commits) }] }
        store.counted++
        return { rows: Object.entries(writes).map(([table, n]) => ({ table, writes: String(n) })) }
      }
    }
    const deps = {
      db,
      logger: pino({ level: 'silent' }),
      config: { RECONCILE_FULL_SECONDS: 180, ...env },
      features: [{ name: 'a', reconcile: steps }]
    } as unknown as Dependencies
    return { writes, store, reconciler: createReconciler(deps, true, timeoutMs) }
  }
  const counting = (name: string, on: ReconcileStep['on'], result: () => unknown = () => undefined) => {
    const step = { name, on, runs: 0, run: async () => (step.runs++, result()) }
    return step
  }

  test('the first round runs every step, later ones only those that are due', async () => {
    const routes = counting('routes', { tables: ['domains', 'projects'] })
    const containers = counting('containers', { containers: true })
    const imports = counting('imports', { commits: true })
    const networks = counting('networks', {})
    const { writes, store, reconciler } = open([routes, containers, imports, networks])
    const runs = async () => {
      await reconciler.round(worker)
      return [routes, containers, imports, networks].map((step) => step.runs)
    }
    expect(await runs()).toEqual([1, 1, 1, 1])
    expect(await runs()).toEqual([1, 1, 1, 1])
    store.commits++
    expect(await runs()).toEqual([1, 1, 2, 1])
    writes.domains!++
    expect(await runs()).toEqual([2, 1, 2, 1])
    reconciler.containersChanged()
    expect(await runs()).toEqual([2, 2, 2, 1])
    expect(await runs()).toEqual([2, 2, 2, 1])
  })

  test('writes are counted only for a while after a commit', async () => {
    const routes = counting('routes', { tables: ['domains'] })
    const { writes, store, reconciler } = open([routes])
    const roundAfter = async (ms: number) => {
      vi.advanceTimersByTime(ms)
      await reconciler.round(worker)
      return [store.counted, routes.runs]
    }
    expect(await roundAfter(0)).toEqual([1, 1])
    expect(await roundAfter(countLagMs)).toEqual([2, 1])
    expect(await roundAfter(1)).toEqual([2, 1])
    store.commits++
    expect(await roundAfter(1)).toEqual([3, 1])
    writes.domains!++ // The commit was its.
    expect(await roundAfter(countLagMs)).toEqual([4, 2])
    expect(await roundAfter(1)).toEqual([4, 2])
  })

  test('a step with work left runs in the next round too', async () => {
    const results = ['again', 'again', 'done']
    const routes = counting('routes', {}, () => results[routes.runs - 1])
    const { reconciler } = open([routes])
    for (const expected of [1, 2, 3, 3, 3]) {
      await reconciler.round(worker)
      expect(routes.runs).toBe(expected)
    }
  })

  test('a failing step is retried after more and more rounds, or when it is due', async () => {
    let isAbsent = true
    const zones = counting('zones', { tables: ['domains'] }, () => isAbsent && Promise.reject(new Error('absent')))
    const { reconciler, writes, store } = open([zones])
    const runsAfter = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) await reconciler.round(worker)
      return zones.runs
    }
    const runs = []
    for (let round = 0; round < 9; round++) runs.push(await runsAfter(1))
    expect(runs).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4])
    store.commits++
    writes.domains!++
    expect(await runsAfter(1)).toBe(5)
    reconciler.retry()
    expect(await runsAfter(1)).toBe(6)
    isAbsent = false
    reconciler.retry()
    expect(await runsAfter(40)).toBe(7)
  })

  test.each([true, false])(
    'one that hangs keeps no other one (first: %s), and is not run twice at once',
    async (isFirst) => {
      let goOn = () => {}
      const hanging = { ...counting('containers', {}), isFirst, runs: 0 }
      hanging.run = () => {
        hanging.runs++
        return new Promise<undefined>((resolve) => (goOn = () => resolve(undefined)))
      }
      const zones = counting('zones', {})
      const { reconciler } = open([hanging, zones], { RECONCILE_FULL_SECONDS: 0 }, 1)
      for (const expected of [1, 2, 3]) {
        await reconciler.round(worker)
        expect([hanging.runs, zones.runs]).toEqual([1, expected])
      }
      goOn()
      await reconciler.settled()
      await reconciler.round(worker)
      expect([hanging.runs, zones.runs]).toEqual([2, 4])
    }
  )

  test('a full round runs after its interval', async () => {
    const networks = counting('networks', {})
    const { reconciler } = open([networks], { RECONCILE_FULL_SECONDS: 0 })
    for (const expected of [1, 2, 3]) {
      await reconciler.round(worker)
      expect(networks.runs).toBe(expected)
    }
  })

  test('an unknown table in a step is an error', async () => {
    const { reconciler } = open([counting('routes', { tables: ['domain'] })], { RECONCILE_FULL_SECONDS: 180 })
    await reconciler.round(worker)
    await expect(reconciler.round(worker)).rejects.toThrow('no table domain')
  })
})
