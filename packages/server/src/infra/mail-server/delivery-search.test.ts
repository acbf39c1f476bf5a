import { expect, test } from 'vitest'
import type { DeliveryEntry, DeliverySearch } from './delivery-log.ts'
import { findDeliveries } from './delivery-search.ts'

const entry = (
  sender: string | undefined,
  recipient: string | undefined,
  status: DeliveryEntry['status'] = 'success',
  originalRecipient?: string
): DeliveryEntry => ({
  at: new Date(0),
  status,
  sender,
  recipient,
  originalRecipient,
  queueId: undefined,
  relay: undefined,
  delaySeconds: undefined,
  reason: ''
})

const entries = [
  entry('ann@one.test', 'bob@example.net'),
  entry('bob@example.net', 'Ann+list@One.test'),
  entry('eve@two.test', 'eve@sub.one.test', 'deferred'),
  entry('', 'eve@two.test', 'success', 'sales@one.test'),
  entry(undefined, undefined, 'bounced'),
  entry('x@evil.test', '"ann@one.test"@evil.test', 'rejected'),
  entry('x@evil.test', 'ann@one.test.evil.test', 'rejected')
]

test.each<[Partial<DeliverySearch>, number[]]>([
  [{}, [0, 1, 2, 3, 4, 5, 6]],
  [{ domain: 'one.test' }, [0, 1, 3]],
  [{ domain: 'ONE.test' }, [0, 1, 3]],
  [{ mailbox: 'ann@one.test' }, [0, 1]],
  [{ mailbox: 'ANN+other@one.test' }, [0, 1]],
  [{ mailbox: 'sales@one.test' }, [3]],
  [{ mailbox: 'one.test' }, []],
  [{ status: 'deferred' }, [2]],
  [{ domain: 'two.test', status: 'success' }, [3]],
  [{ domain: 'one.test', mailbox: 'bob@example.net' }, [0, 1]]
])('%j', (search, expected) => {
  const found = findDeliveries(entries, { offset: 0, limit: 100, ...search })
  expect([found.entries, found.total]).toEqual([expected.map((index) => entries[index]), expected.length])
})

test('a page with the total', () => {
  expect(findDeliveries(entries, { offset: 2, limit: 2 })).toEqual({ entries: entries.slice(2, 4), total: 7 })
  expect(findDeliveries(entries, { offset: 20, limit: 2 })).toEqual({ entries: [], total: 7 })
})
