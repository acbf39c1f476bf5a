import { expect, test } from 'vitest'
import { allowedBy } from './reachable-address.ts'
test('this machine is refused in every notation of its address', () => {
  const isAllowed = allowedBy({ allow: [], own: ['2a01:4f8:1::1'] })
  for (const address of ['2a01:4f8:1::1', '2a01:4f8:1:0:0:0:0:1', '2a01:4f8:1::0001'])
    expect([address, isAllowed(address)]).toEqual([address, false])
  expect(isAllowed('2a01:4f8:1::2')).toBe(true)
})
