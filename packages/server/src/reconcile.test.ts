import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Dependencies } from './dependencies.ts'
import type { ReconcileStep, WorkerContext } from './features/feature.ts'
import { reconcile } from './reconcile.ts'

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
    { name: 'routes', run: () => Promise.reject(new Error('away')) },
    { name: 'zones', run: async () => done.push('zones') }
  ])
  expect([failed, done]).toEqual([['routes'], ['zones']])
})

test('first steps are over before the others begin, wherever they stand', async () => {
  const done: string[] = []
  await run([
    { name: 'containers', run: async () => done.push('containers') },
    {
      name: 'deployments',
      isFirst: true,
      run: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        done.push('deployments')
      }
    }
  ])
  expect(done).toEqual(['deployments', 'containers'])
})
