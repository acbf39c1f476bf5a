import { expect, test } from 'vitest'
import { parseSendingRequest } from './sending-policy-server.ts'

const request = (...lines: string[]) => parseSendingRequest(['request=smtpd_access_policy', ...lines].join('\n'))

test('who sends, and to how many', () => {
  expect(
    request(
      'protocol_state=DATA',
      'sasl_username=ann@one.test',
      'client_address=192.0.2.1',
      'recipient_count=3',
      'sender=a=b@one.test'
    )
  ).toEqual({
    login: 'ann@one.test',
    address: '192.0.2.1',
    recipients: 3
  })
  // Before DATA it is not counted yet.
  expect(request('sasl_username=ann@one.test', 'recipient_count=0')).toEqual({
    login: 'ann@one.test',
    address: '',
    recipients: 1
  })
})

test('a recipient, whoever names it', () => {
  const recipient = (...lines: string[]) => request('protocol_state=RCPT', ...lines)
  expect(recipient('recipient=sales@one.test', 'sasl_username=')).toEqual({ recipient: 'sales@one.test' })
  expect(recipient('recipient=sales@one.test', 'sasl_username=ann@one.test')).toEqual({ recipient: 'sales@one.test' })
  expect(recipient('recipient=')).toBeUndefined()
})

test('nobody, and what is no question', () => {
  expect(request('sasl_username=', 'recipient_count=3')).toBeUndefined()
  expect(request()).toBeUndefined()
  expect(parseSendingRequest('sasl_username=ann@one.test')).toBeUndefined()
  expect(parseSendingRequest('')).toBeUndefined()
})
