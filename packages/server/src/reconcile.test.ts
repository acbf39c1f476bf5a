import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import type { Dependencies } from './dependencies.ts'
import type { ReconcileStep, WorkerContext } from './features/feature.ts'
import { reconcile } from './reconcile.ts'
import { createReconciler } from './reconciler.ts'

const run = async (steps: readonly ReconcileStep[]) => {
  const logged: { step: string }[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const deps = { logger, features: [{ name: 'a', reconcile: steps }] } as unknown as Dependencies
  await reconcile(deps, {} as WorkerContext)
  return logged.map(({ step }) => step)
}

test('a step that fails is logged, and the others run', async () => {
  const done: string[] = []
  const failed = await run([
    { name: 'routes', on: {}, run: () => Promise.reject(new Error('away')) },
    { name: 'zones', on: {}, run: async () => done.push('zones') }
  ])
  expect([failed, done]).toEqual([['routes'], ['zones']])
})

test('first steps are over before the others begin, wherever they stand', async () => {
  const done: string[] = []
  await run([
    { name: 'containers', on: {}, run: async () => done.push('containers') },
    {
      name: 'deployments',
      on: { always: true },
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

  /** A reconciler of these steps, and how often each table has been written to. */
  const open = (steps: readonly ReconcileStep[], env: { RECONCILE_FULL_SECONDS?: number } = {}) => {
    const writes: Record<string, number> = { domains: 0, projects: 0 }
    const db = {
      execute: async () => ({ rows: Object.entries(writes).map(([table, n]) => ({ table, writes: String(n) })) })
    }
    const deps = {
      db,
      logger: pino({ level: 'silent' }),
      config: { RECONCILE_FULL_SECONDS: 180, ...env },
      features: [{ name: 'a', reconcile: steps }]
    } as unknown as Dependencies
    return { writes, reconciler: createReconciler(deps, true) }
  }
  const counting = (name: string, on: ReconcileStep['on'], result: () => unknown = () => undefined) => {
    const step = { name, on, runs: 0, run: async () => (step.runs++, result()) }
    return step
  }

  test('the first has every step; the next ones have those that something makes due', async () => {
    const routes = counting('routes', { tables: ['domains', 'projects'] })
    const containers = counting('containers', { containers: true })
    const imports = counting('imports', { always: true })
    const networks = counting('networks', {})
    const { writes, reconciler } = open([routes, containers, imports, networks])
    const runs = async () => {
      await reconciler.round(worker)
      return [routes, containers, imports, networks].map((step) => step.runs)
    }
    expect(await runs()).toEqual([1, 1, 1, 1])
    expect(await runs()).toEqual([1, 1, 2, 1])
    writes.domains!++
    expect(await runs()).toEqual([2, 1, 3, 1])
    reconciler.containersChanged()
    expect(await runs()).toEqual([2, 2, 4, 1])
    expect(await runs()).toEqual([2, 2, 5, 1])
  })

  test('one that fails, or has something left, is in the next round too', async () => {
    const results = [() => Promise.reject(new Error('away')), () => 'again', () => 'done', () => 'done']
    const routes = counting('routes', {}, () => results[routes.runs - 1]!())
    const { reconciler } = open([routes])
    for (const expected of [1, 2, 3, 3, 3]) {
      await reconciler.round(worker)
      expect(routes.runs).toBe(expected)
    }
  })

  test('a full round comes when its time has', async () => {
    const networks = counting('networks', {})
    const { reconciler } = open([networks], { RECONCILE_FULL_SECONDS: 0 })
    for (const expected of [1, 2, 3]) {
      await reconciler.round(worker)
      expect(networks.runs).toBe(expected)
    }
  })

  test('a step that names a table that is none is a mistake', async () => {
    const { reconciler } = open([counting('routes', { tables: ['domain'] })], { RECONCILE_FULL_SECONDS: 180 })
    await reconciler.round(worker)
    await expect(reconciler.round(worker)).rejects.toThrow('no table domain')
  })
})
