import { deliveryReasonTexts, type DeliveryReasonCode } from '@panel/contract/delivery-reason-texts'
import { expect, test } from 'vitest'
import { deliveryReason, reasonSentences } from './delivery-reason.policy.ts'

test.each(Object.keys(deliveryReasonTexts) as DeliveryReasonCode[])('%s is recognized in its text', (code) => {
  const values = { event: 'issues', marker: '[skip ci]', count: '20' }
  expect(reasonSentences(deliveryReason(code, values))).toMatchObject([{ code }])
})

test('other texts have no code', () => {
  expect([reasonSentences(null), reasonSentences('Internal error')]).toEqual([[], []])
})
