import { deliveryTestAddress, parseDeliveryTestAddress } from '../../text/delivery-test-address.ts'

interface TestMessage {
  from: string
  to: string
  hostname: string
  token: string
  messageId: string
  at: Date
}

/** No escaping needed: the addresses are validated. */
export const renderTestMessage = ({ from, to, hostname, token, messageId, at }: TestMessage): string =>
  [
    `From: <${from}>`,
    `To: <${to}>`,
    `Reply-To: <${deliveryTestAddress(hostname, token)}>`,
    'Subject: Delivery test',
    `Date: ${rfc5322(at)}`,
    `Message-ID: <${messageId}@${hostname}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'This message checks whether mail is delivered and how the receiver rates it.',
    'You can ignore it.',
    ''
  ].join('\r\n')

/** The Reply-To address, if it is a delivery-test address with a token. */
export function answerAddress(message: Buffer): string | undefined {
  const head = message
    .subarray(0, 32_768)
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1)[0]!
  const [, address] = /^Reply-To: <([^<>\r\n]{1,254})>\r?$/im.exec(head) ?? []
  return address !== undefined && parseDeliveryTestAddress(address)?.token !== undefined ? address : undefined
}

export const rfc5322 = (at: Date): string => at.toUTCString().replace('GMT', '+0000')
