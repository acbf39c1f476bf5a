import { DeliveryTestAnswer } from '@panel/contract/delivery-tests'
import { deliveryTestAddress } from '../../text/delivery-test-address.ts'
import { rfc5322 } from './test-message.render.ts'

interface AnswerMessage {
  to: string
  hostname: string
  messageId: string
  at: Date
  answer: DeliveryTestAnswer
}

/** Results as ASCII JSON, which mail servers pass on unchanged. */
export const renderAnswerMessage = ({ to, hostname, messageId, at, answer }: AnswerMessage): string =>
  [
    `From: <${deliveryTestAddress(hostname)}>`,
    `To: <${to}>`,
    'Subject: Delivery test: answer',
    `Date: ${rfc5322(at)}`,
    `Message-ID: <${messageId}@${hostname}>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    ...inAscii(JSON.stringify(answer, null, 1)).split('\n'),
    ''
  ].join('\r\n')

const inAscii = (text: string): string =>
  text.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Undefined if invalid: anyone who has seen the token can send one. */
export function parseAnswerMessage(message: Buffer): DeliveryTestAnswer | undefined {
  const text = message.toString('latin1')
  const begin = /\r?\n\r?\n/.exec(text)
  if (!begin) return undefined
  try {
    return DeliveryTestAnswer.safeParse(JSON.parse(text.slice(begin.index))).data
  } catch {
    return undefined
  }
}
