import { expect, test } from 'vitest'
import { createConversation } from './sending-request.ts'

const question = (...lines: string[]) => ['request=smtpd_access_policy', ...lines].join('\n')
const talk = () => {
  const conversation = createConversation()
  return (...lines: string[]) => conversation(question(...lines))
}

test('who sends, and to whom', () => {
  const say = talk()
  const ann = 'sasl_username=ann@one.test'
  for (const recipient of ['Ben@one.test', 'list@one.test', 'list@one.test'])
    expect(say('protocol_state=RCPT', 'instance=1', `recipient=${recipient}`, ann)).toBeUndefined()
  const lines = ['instance=1', ann, 'client_address=192.0.2.1', 'recipient_count=3', 'sender=a=b@one.test']
  expect(say('protocol_state=DATA', ...lines)).toEqual({
    login: 'ann@one.test',
    address: '192.0.2.1',
    recipients: 3,
    to: ['ben@one.test', 'list@one.test']
  })
  // It has been decided.
  expect(say('protocol_state=END-OF-MESSAGE', ...lines)).toBeUndefined()
})

test('a message of nobody who has logged in, once it is all there', () => {
  const say = talk()
  say('protocol_state=RCPT', 'instance=1', 'recipient=list@one.test', 'sasl_username=')
  expect(say('protocol_state=DATA', 'instance=1', 'recipient_count=1')).toBeUndefined()
  expect(say('protocol_state=END-OF-MESSAGE', 'instance=1', 'recipient_count=1')).toMatchObject({
    login: undefined,
    to: ['list@one.test']
  })
})

test('who is named and gets nothing is forgotten with the next message', () => {
  const say = talk()
  for (let index = 0; index < 2_000; index++)
    say('protocol_state=RCPT', 'instance=1', `recipient=list+${index}@one.test`)
  say('protocol_state=RCPT', 'instance=2', 'recipient=ann@one.test')
  expect(say('protocol_state=END-OF-MESSAGE', 'instance=2', 'recipient_count=1')).toMatchObject({
    to: ['ann@one.test']
  })
})

test('no more is remembered than a message may have recipients', () => {
  const say = talk()
  for (let index = 0; index < 2_000; index++)
    say('protocol_state=RCPT', 'instance=1', `recipient=list+${index}@one.test`)
  expect(say('protocol_state=END-OF-MESSAGE', 'instance=1', 'recipient_count=2000')?.to).toHaveLength(1_000)
})

test('nothing to decide, and what is no question', () => {
  const hear = createConversation()
  expect(hear(question())).toBeUndefined()
  expect(hear(question('protocol_state=MAIL', 'sasl_username=ann@one.test'))).toBeUndefined()
  expect(hear(question('protocol_state=RCPT', 'recipient='))).toBeUndefined()
  expect(hear('protocol_state=DATA\nsasl_username=ann@one.test')).toBeUndefined()
  expect(hear('')).toBeUndefined()
})
