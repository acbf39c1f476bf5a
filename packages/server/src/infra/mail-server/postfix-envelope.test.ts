import { expect, test } from 'vitest'
import { parseEnvelope } from './postfix-envelope.ts'

const envelope = (place: string, sender: string) => `*** ENVELOPE RECORDS ${place} ***
message_size:             615             732               1               0             615               0
message_arrival_time: Mon Nov 23 08:26:32 2026
named_attribute: log_helo_name=sender: eve@evil.test
sender: ${sender}
named_attribute: helo_name=client.example
recipient: x@[127.0.0.99]
*** MESSAGE CONTENTS ${place} ***
`

test.each([
  ['deferred/2/4jXzYh19STzXS6P', 'ann@one.test', { queue: 'deferred', sender: 'ann@one.test' }],
  ['hold/4jXzYh19STzXS6P', '', { queue: 'hold', sender: '' }],
  ['active/AB35826644F', 'a b@one.test', { queue: 'active', sender: 'a b@one.test' }],
  ['saved/AB35826644F', 'ann@one.test', undefined]
])('%s', (place, sender, expected) => {
  expect(parseEnvelope(envelope(place, sender))).toEqual(expected)
})

test('other text', () => {
  expect(parseEnvelope('')).toBeUndefined()
  expect(parseEnvelope('sender: ann@one.test\n')).toBeUndefined()
})
