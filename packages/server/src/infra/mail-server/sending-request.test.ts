import { expect, test } from 'vitest'
import { createConversation, type SendingRequest } from './sending-request.ts'

const question = (...lines: string[]) => ['request=smtpd_access_policy', ...lines].join('\n')

function talk(isRefused: (recipient: string) => boolean = () => false) {
  const decided: SendingRequest[] = []
  const named: string[] = []
  const hear = createConversation({
    async decide(request) {
      decided.push(request)
      return undefined
    },
    async decideRecipient(recipient, to) {
      named.push([...to].join(' '))
      return isRefused(recipient) ? '450 not now' : undefined
    }
  })
  const ask = async (text: string) => {
    const answer = await hear(text)?.()
    return answer ?? decided.shift()
  }
  return { named, ask, say: (...lines: string[]) => ask(question(...lines)) }
}

test('sender and recipients', async () => {
  const { say } = talk()
  const ann = 'sasl_username=ann@one.test'
  for (const recipient of ['Ben@one.test', 'list@one.test', 'list@one.test'])
    expect(await say('protocol_state=RCPT', 'instance=1', `recipient=${recipient}`, ann)).toBeUndefined()
  const lines = ['instance=1', ann, 'client_address=192.0.2.1', 'recipient_count=3', 'sender=a=b@one.test']
  expect(await say('protocol_state=DATA', ...lines)).toEqual({
    login: 'ann@one.test',
    address: '192.0.2.1',
    recipients: 3,
    to: ['ben@one.test', 'list@one.test']
  })
  expect(await say('protocol_state=END-OF-MESSAGE', ...lines)).toBeUndefined()
})

test('an unauthenticated message, at its end', async () => {
  const { say } = talk()
  await say('protocol_state=RCPT', 'instance=1', 'recipient=list@one.test', 'sasl_username=')
  expect(await say('protocol_state=DATA', 'instance=1', 'recipient_count=1')).toBeUndefined()
  expect(await say('protocol_state=END-OF-MESSAGE', 'instance=1', 'recipient_count=1')).toMatchObject({
    login: undefined,
    to: ['list@one.test']
  })
})

test('rejected recipients are removed; accepted ones stay when repeated', async () => {
  const { named, say } = talk((recipient) => recipient.startsWith('list'))
  const name = (recipient: string) => say('protocol_state=RCPT', 'instance=1', `recipient=${recipient}`)
  expect(await name('ann@one.test')).toBeUndefined()
  expect(await name('list@one.test')).toBe('450 not now')
  expect(await name('ben@one.test')).toBeUndefined()
  expect(await name('ann@one.test')).toBeUndefined()
  expect(named).toEqual(['ann@one.test', 'ann@one.test list@one.test', 'ann@one.test ben@one.test'])
  expect(await say('protocol_state=END-OF-MESSAGE', 'instance=1', 'recipient_count=2')).toMatchObject({
    to: ['ann@one.test', 'ben@one.test']
  })
})

test('unused recipients are forgotten with the next message', async () => {
  const { say } = talk()
  for (let index = 0; index < 2_000; index++)
    await say('protocol_state=RCPT', 'instance=1', `recipient=list+${index}@one.test`)
  await say('protocol_state=RCPT', 'instance=2', 'recipient=ann@one.test')
  expect(await say('protocol_state=END-OF-MESSAGE', 'instance=2', 'recipient_count=1')).toMatchObject({
    to: ['ann@one.test']
  })
})

test('recipients are bounded', async () => {
  const { say } = talk()
  for (let index = 0; index < 2_000; index++)
    await say('protocol_state=RCPT', 'instance=1', `recipient=list+${index}@one.test`)
  const decided = await say('protocol_state=END-OF-MESSAGE', 'instance=1', 'recipient_count=2000')
  expect((decided as SendingRequest).to).toHaveLength(1_000)
})

test('nothing to decide, and invalid requests', async () => {
  const { ask } = talk()
  expect(await ask(question())).toBeUndefined()
  expect(await ask(question('protocol_state=MAIL', 'sasl_username=ann@one.test'))).toBeUndefined()
  expect(await ask(question('protocol_state=RCPT', 'recipient='))).toBeUndefined()
  expect(await ask('protocol_state=DATA\nsasl_username=ann@one.test')).toBeUndefined()
  expect(await ask('')).toBeUndefined()
})
