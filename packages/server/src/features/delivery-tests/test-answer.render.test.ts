import { describe, expect, test } from 'vitest'
import type { DeliveryTestAnswer } from '@panel/contract/delivery-tests'
import { parseAnswerMessage, renderAnswerMessage } from './test-answer.render.ts'
import { answerAddress, renderTestMessage } from './test-message.render.ts'

const token = '0123456789abcdef0123456789abcdef'
const at = new Date('2026-11-23T10:00:00Z')
const answer: DeliveryTestAnswer = {
  clientIp: '2001:db8::1',
  tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
  spf: { result: 'pass', domain: 'shop.example' },
  dkim: [{ result: 'pass', domain: 'bücher.example', selector: 's20261123' }],
  dmarc: { result: 'pass', policy: 'none' }
}
const to = `delivery-test+${token}@mail.one.example`
const message = renderAnswerMessage({ to, hostname: 'mail.two.example', messageId: 'id', at, answer })

test('an answer is read as it was written, and is plain text of short lines', () => {
  expect(parseAnswerMessage(Buffer.from(message))).toEqual(answer)
  expect(parseAnswerMessage(Buffer.from(`Received: x\r\n${message.replaceAll('\r\n', '\n')}`))).toEqual(answer)
  expect(message).toMatch(/^[\r\n -~]*$/)
  expect(message.split('\r\n').every((line) => line.length < 200)).toBe(true)
})

test.each([
  ['nothing', ''],
  ['no text', 'Subject: x\r\n'],
  ['no JSON', 'Subject: x\r\n\r\nhello'],
  ['another form', 'Subject: x\r\n\r\n{"spf":"pass"}'],
  [
    'too many signatures',
    message.replace('"dkim": [', `"dkim": [${'{"result":"pass","domain":null,"selector":null},'.repeat(6)}`)
  ],
  ['a text of two lines', message.replace('"result": "pass"', '"result": "pass\\nBcc: x"')]
])('%s is no answer', (_, text) => expect(parseAnswerMessage(Buffer.from(text))).toBeUndefined())

describe('where a test asks to be answered', () => {
  const requested = renderTestMessage({
    from: 'ann@shop.example',
    to: 'delivery-test@mail.two.example',
    hostname: 'mail.one.example',
    token,
    messageId: 'id',
    at
  })
  test('at its panel', () => expect(answerAddress(Buffer.from(`Received: x\r\n${requested}`))).toBe(to))
  test.each([
    'victim@elsewhere.example',
    'delivery-test@mail.elsewhere.example',
    `delivery-test+${token}@elsewhere.example`,
    `delivery-test+${token}@mail.one.example>, <victim@elsewhere.example`,
    `delivery-test+${token}x@mail.one.example`
  ])('%s is nobody’s', (address) => {
    expect(answerAddress(Buffer.from(requested.replace(to, address)))).toBeUndefined()
  })
  test('in its text is nowhere', () => {
    expect(answerAddress(Buffer.from(`Subject: x\r\n\r\nReply-To: <${to}>\r\n`))).toBeUndefined()
  })
})
