import { expect, test } from 'vitest'
import { parseReceived } from './received-header.ts'

const header = (first: string, second = '\t(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)') =>
  Buffer.from(
    [`Received: from ${first}`, second, '\tby mail.two.test (Postfix) with ESMTPS id 4jX', 'Subject: x', '', 'x'].join(
      '\r\n'
    )
  )
const tls = 'TLSv1.3 TLS_AES_256_GCM_SHA384'

test.each([
  ['mail.one.test (mail.one.test [198.51.100.7])', { helo: 'mail.one.test', clientIp: '198.51.100.7', tls }],
  ['mail.one.test (unknown [IPv6:2001:db8::1])', { helo: 'mail.one.test', clientIp: '2001:db8::1', tls }],
  ['x([192.0.2.1]) (unknown [198.51.100.7])', { helo: 'x([192.0.2.1])', clientIp: '198.51.100.7', tls }],
  ['nothing of the kind', { helo: undefined, clientIp: undefined, tls }]
])('from %s', (first, received) => expect(parseReceived(header(first))).toEqual(received))

test('in the clear', () => expect(parseReceived(header('a (a [192.0.2.1])', '\tby mail.two.test')).tls).toBeUndefined())
test('a second header is another server’s', () => {
  const message = `Subject: x\r\n${header('a (a [192.0.2.1])').toString()}`
  expect(parseReceived(Buffer.from(message))).toEqual({ helo: undefined, clientIp: undefined, tls: undefined })
})
