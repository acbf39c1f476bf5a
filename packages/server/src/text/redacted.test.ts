import { expect, test } from 'vitest'
import { redacted } from './redacted.ts'

test.each([
  ['a URL', 'connect postgres://panel:hunter2@127.0.0.1/db', 'connect postgres://[redacted]@127.0.0.1/db'],
  ['a header', 'Authorization: Bearer abcdefgh12345678', 'Authorization: [redacted]'],
  ['a bearer token', 'sent bearer abcdefgh12345678 twice', 'sent bearer [redacted] twice'],
  ['JSON', '{"smtpPassword":"hunter2","port":25}', '{"smtpPassword":"[redacted]","port":25}'],
  ['an assignment', 'API_KEY=hunter2 PORT=3000', 'API_KEY=[redacted] PORT=3000'],
  ['a configuration', 'requirepass_token: "hunter2 3"', 'requirepass_token: "[redacted]"'],
  ['a private key', 'a -----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY----- b', 'a [redacted] b'],
  ['half a private key', 'a -----BEGIN RSA PRIVATE KEY-----\nMII', 'a [redacted]'],
  ['an object with such a name', '{"SESSION_SECRET": {"value": 1}}', '{"SESSION_SECRET": {"value": 1}}'],
  ['no secret', 'GET /password-reset 200 in 3 ms', 'GET /password-reset 200 in 3 ms']
])('%s', (_what, text, expected) => {
  expect(redacted(text)).toBe(expected)
})

test('given secrets go in every form, and short ones do not redact words', () => {
  const secret = 'pa/ss"word+1'
  const text = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret),
    Buffer.from(secret).toString('base64'),
    'on'
  ].join(' ')
  expect(redacted(text, [secret, 'on'])).toMatch(/^\[redacted\] \[redacted\] "\[redacted\]" \[redacted\]=* on$/)
})

test('a secret within a longer one leaves no rest', () => {
  expect(redacted('hunter2-and-more', ['hunter2', 'hunter2-and-more'])).toBe('[redacted]')
})
