import { expect, test } from 'vitest'
import { assertSelector } from '../../infra/mail-signer/signing-tables.render.ts'
import { nextSelector } from './selector.policy.ts'

test.each([
  [[], 's20260131'],
  [['default'], 's20260131'],
  [['s20260131'], 's20260131-2'],
  [['s20260131', 's20260131-2', 's20260131-3'], 's20260131-4']
])('with %j taken: %s', (taken, selector) => {
  const made = nextSelector(new Date('2026-01-31T23:59:59Z'), new Set(taken))
  expect(made).toBe(selector)
  expect(() => assertSelector(made)).not.toThrow()
})
