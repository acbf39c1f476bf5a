import { expect, test } from 'vitest'
import type { DeliveryTestAnswer } from '@panel/contract/delivery-tests'
import { deliveryTestView } from './delivery-test-view.ts'
import type { DeliveryTestRow } from './delivery-tests.repository.ts'

const at = new Date('2026-11-26T10:00:00Z')
const row: DeliveryTestRow = {
  id: 'test',
  userId: 'ann',
  mailboxId: 'mailbox',
  token: '',
  sender: 'ann@shop.example',
  recipient: 'delivery-test@mail.panel.example',
  status: 'FAILED',
  queueId: null,
  relay: null,
  reply: null,
  answer: null,
  lookedAt: null,
  createdAt: at,
  updatedAt: at
}
const checksOf = (facts: Partial<DeliveryTestRow>) => deliveryTestView({ ...row, ...facts }).checks

test.each([
  ['It is unknown whether our mail server accepted the message: try again', 'TAKEN_OR_NOT', undefined],
  ['The mail server is not responding', 'SERVER_SILENT', undefined],
  ['Our mail server did not accept the message: try again later', 'NOT_TAKEN_NOW', undefined],
  ['The mail server rejected the message: 552 too large', 'SERVER_REFUSED', { answer: '552 too large' }],
  ['The mail servers are not installed', 'NOT_TAKEN_BECAUSE', { reason: 'The mail servers are not installed' }]
])('not accepted by our server: %s', (reply, code, values) => {
  const { detail, sentences } = checksOf({ reply }).accepted
  expect(sentences).toEqual([{ code, values }])
  expect(detail).toBe(reply)
})

test.each([
  [null, null, 'Will be retried. The next server: no response'],
  ['mx.example', null, 'Will be retried. mx.example: no response'],
  [null, 'Host not found', 'Will be retried. The next server: Host not found'],
  ['mx.example', '450 later', 'Will be retried. mx.example: 450 later']
])('the response of %s: %s', (relay, reply, detail) => {
  expect(checksOf({ status: 'DEFERRED', relay, reply }).delivered).toMatchObject({ status: 'pending', detail })
})

test('values missing from a reply are shown as unknown', () => {
  const spf = { result: 'none', domain: null }
  const answer: DeliveryTestAnswer = {
    clientIp: null,
    tls: null,
    spf,
    dkim: [],
    dmarc: { result: 'none', policy: null }
  }
  const details = (facts: Partial<DeliveryTestAnswer>) => {
    const { tls, spf, dkim, dmarc } = checksOf({ status: 'ANSWERED', answer: { ...answer, ...facts } })
    return [tls, spf, dkim, dmarc].map(({ detail }) => detail)
  }
  expect(details({})).toEqual([
    'Received unencrypted from an unknown address',
    'none for no domain from an unknown address',
    'No DKIM signature',
    'none'
  ])
  const some = {
    spf: { result: 'fail', domain: 'shop.example' },
    dkim: [{ result: 'fail', domain: null, selector: 's' }]
  }
  expect(details(some).slice(1, 3)).toEqual(['fail for shop.example from an unknown address', 'fail by s of ?'])
  const address = { clientIp: '192.0.2.1', dmarc: { result: 'fail', policy: 'reject' } }
  expect(details(address)).toEqual([
    'Received unencrypted from 192.0.2.1',
    'none for no domain from 192.0.2.1',
    'No DKIM signature',
    'fail (p=reject)'
  ])
})
