import { deliveryTestAddress, parseDeliveryTestAddress } from '../../text/delivery-test-address.ts'

interface TestMessage {
  from: string
  to: string
  /** As this panel's servers greet: the answer comes there. */
  hostname: string
  token: string
  messageId: string
  at: Date
}

/** All of it is ours: the addresses are checked ones, without a character that means something in a header. */
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
    'This message tests whether mail arrives, and what its receiver thinks of it.',
    'Nothing has to be done about it.',
    ''
  ].join('\r\n')

/** Where the answer to a test goes: to an address that only panels have, whatever else the header says. */
export function answerAddress(message: Buffer): string | undefined {
  const head = message
    .subarray(0, 32_768)
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1)[0]!
  const [, address] = /^Reply-To: <([^<>\r\n]{1,254})>\r?$/im.exec(head) ?? []
  return address !== undefined && parseDeliveryTestAddress(address)?.token !== undefined ? address : undefined
}

export const rfc5322 = (at: Date): string => at.toUTCString().replace('GMT', '+0000')
