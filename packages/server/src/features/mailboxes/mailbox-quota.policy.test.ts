import { expect, test } from 'vitest'
import { mailboxQuotaProblem } from './mailbox-quota.policy.ts'

test.each([
  [null, 1_000_000, 1_000_000, undefined],
  [100, 0, 100, undefined],
  [100, 60, 40, undefined],
  [100, 60, 41, / leave 40 MB/],
  [100, 200, 1, / leave 0 MB/],
  [0, 0, 1, / leave 0 MB/]
])('limit %s MB, others %s, quota %s: %s', (maxDiskMb, othersMb, quotaMb, problem) => {
  const found = mailboxQuotaProblem({ maxDiskMb, othersMb, quotaMb })
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(problem)
})
