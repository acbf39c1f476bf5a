import { expect, test } from 'vitest'
import type { DeliveryTestStatus } from '@panel/contract/delivery-tests'
import { DeliveryTestStatus as Status } from '@panel/contract/delivery-tests'
import type { DeliveryEntry } from '../../infra/mail-server/delivery-log.ts'
import { isUnderWay, outcomeOf, sourcesOf } from './delivery-test.machine.ts'

test.each<[DeliveryEntry['status'][], DeliveryTestStatus | undefined]>([
  [[], undefined],
  [['deferred'], 'DEFERRED'],
  [['deferred', 'deferred'], 'DEFERRED'],
  [['success', 'deferred'], 'DELIVERED'],
  [['bounced', 'deferred'], 'BOUNCED'],
  [['rejected'], 'BOUNCED']
])('%s', (statuses, outcome) => expect(outcomeOf(statuses.map((status) => ({ status })))).toBe(outcome))

test('a finished test accepts only a reply', () => {
  const over = Status.options.filter((status) => status !== 'SENDING' && !isUnderWay(status))
  for (const status of over)
    expect(Status.options.filter((next) => sourcesOf[next].includes(status))).toEqual(
      status === 'DELIVERED' || status === 'BOUNCED' ? ['ANSWERED'] : []
    )
})
