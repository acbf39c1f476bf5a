import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { Dependencies } from '../dependencies.ts'
import type { MetricSource } from '../features/metric-source.ts'
import { registerSource } from './metric-sources.ts'

function register(sources: readonly MetricSource[]) {
  const registry = new Registry()
  const warnings: unknown[] = []
  const deps = { logger: { warn: (facts: unknown) => warnings.push(facts) } } as unknown as Dependencies
  for (const source of sources) registerSource(registry, deps, source, 20)
  return { registry, warnings }
}
const gauge = (name: string, read: MetricSource['read']): MetricSource => ({
  families: [{ name, help: 'x', labels: [] }],
  cacheSeconds: 60,
  read
})

test('a source that fails or hangs does not affect the others', async () => {
  const { registry, warnings } = register([
    gauge('hangs', () => new Promise(() => {})),
    gauge('fails', () => Promise.reject(new Error('away'))),
    gauge('is_there', async () => [{ family: 'is_there', value: 7 }])
  ])
  expect(await registry.metrics()).toMatch(/^is_there 7$/m)
  expect(warnings).toEqual([
    { error: 'away', metrics: ['fails'] },
    { error: 'not done within 20 ms', metrics: ['hangs'] }
  ])
})

test('a source is read once for all its families and concurrent scrapes', async () => {
  let reads = 0
  const { registry } = register([
    {
      families: ['one', 'two'].map((name) => ({ name, help: 'x', labels: ['of'] })),
      cacheSeconds: 60,
      async read() {
        reads++
        return ['one', 'two'].map((family) => ({ family, labels: { of: 'a" 1\n\\' }, value: reads }))
      }
    }
  ])
  const texts = await Promise.all([registry.metrics(), registry.metrics()])
  expect(reads).toBe(1)
  expect(texts[1]).toBe(texts[0])
  expect(texts[0]).toContain('one{of="a\\" 1\\n\\\\"} 1\n')
})
