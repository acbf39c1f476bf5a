import fc from 'fast-check'
import { expect, test } from 'vitest'
import { largeLogsIn, leftoversIn } from './leftovers.policy.ts'

const now = new Date('2026-01-31T12:00:00Z')
const hour = 3600_000
const entry = (name: string, hoursOld: number) => ({ name, modifiedAt: new Date(now.getTime() - hoursOld * hour) })

test('only old entries of the kind that nothing needs', () => {
  const entries = [entry('restore-a', 48), entry('restore-b', 48), entry('restore-c', 23), entry('files', 48)]
  expect(leftoversIn(entries, { prefix: 'restore-', kept: new Set(['restore-b']) }, now)).toEqual([entries[0]])
})

test('what is needed, is young, or is of another kind always stays', () => {
  const names = fc.constantFrom<string>('import-1', 'import-2', 'restore-1', 'files')
  const entries = fc.array(fc.tuple(names, fc.integer({ min: -24, max: 100 })).map(([name, age]) => entry(name, age)))
  fc.assert(
    fc.property(entries, fc.array(names), (found, needed) => {
      const kept = new Set(needed)
      for (const { name, modifiedAt } of leftoversIn(found, { prefix: 'import-', kept }, now)) {
        expect(name).toMatch(/^import-/)
        expect(kept.has(name)).toBe(false)
        expect(now.getTime() - modifiedAt.getTime()).toBeGreaterThan(24 * hour)
      }
    })
  )
})

test('logs above 1 MB, and nothing else', () => {
  const log = { name: 'web.log', bytes: 2 ** 20 + 1, isDirectory: false }
  const others = [
    { ...log, bytes: 2 ** 20 },
    { ...log, name: 'panel.env' },
    { ...log, isDirectory: true }
  ]
  expect(largeLogsIn([log, ...others])).toEqual([log])
})
