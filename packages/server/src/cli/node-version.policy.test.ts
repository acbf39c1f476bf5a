import { expect, test } from 'vitest'
import { nodeAdvice } from './node-version.policy.ts'

test.each([
  ['20.20.2', '2026-04-30', undefined],
  ['20.20.2', '2026-05-01', 'end of life since 2026-04'],
  ['22.23.3', '2026-11-22', undefined],
  ['22.23.3', '2027-05-01', 'end of life since 2027-04'],
  ['24.21.0', '2026-11-22', undefined],
  ['25.9.0', '2026-11-22', 'supported: 20, 22, 24']
])('Node.js %s on %s', (version, day, advice) => {
  const found = nodeAdvice(version, new Date(`${day}T12:00:00Z`))
  if (advice === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(advice)
})
