import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSecretValue } from './secret-value.policy.ts'

const isSecret = (value: string, key = 'SETTING') => isSecretValue({ key, value })

describe('is not masked', () => {
  test.each([
    ['nothing', ''],
    ['a boolean', 'true'],
    ['a port', '3000'],
    ['a number', '86400000'],
    ['a fraction', '0.123456'],
    ['a name of a table', 'orders'],
    ['a word', 'production'],
    ['a word with a capital', 'Production'],
    ['a word in capitals', 'PRODUCTION'],
    ['a long word', 'internationally'],
    ['a word in another script', 'воскресенье'],
    ['a short mixture', 'utf8mb4'],
    ['a version', '20.20.2'],
    ['a long version', 'v10.11.14.2'],
    ['this machine', 'localhost'],
    ['this machine by name and port', 'http://localhost:3000/'],
    ['an address', '127.0.0.1'],
    ['an address with its port', 'tcp://192.168.10.20:5432'],
    ['an IPv6 address of this machine', '[::1]:3000'],
    ['a time zone', 'America/New_York'],
    ['a locale', 'en_US.UTF-8'],
    ['a collation', 'utf8mb4_unicode_ci'],
    ['a word with a newline', 'orders\n']
  ])('%s: %j', (_, value) => expect(isSecret(value)).toBe(false))

  test.each(['true', '3000', 'orders', 'wordpress', 'password', '123456', 'a1b2c'])('%s, also as a password', (value) =>
    expect(isSecret(value, 'DB_PASSWORD')).toBe(false)
  )
})

describe('is masked', () => {
  test.each([
    ['letters and digits', 'hunter42'],
    ['letters and signs', 'two-words'],
    ['mixed case', 'helloWorld'],
    ['a long number', '1234567890'],
    ['words in a row', 'correct horse battery'],
    ['a very long word', 'correcthorsebatterystaple'],
    ['a token', 'tok_live_123456'],
    ['an address with a password', 'postgres://u:p4ssword@localhost/shop'],
    ['an address with a path', 'http://127.0.0.1/hooks/T0001'],
    ['a key', '-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----\n']
  ])('%s: %j', (_, value) => expect(isSecret(value)).toBe(true))

  test.each([
    ['DB_PASSWORD', 'swordfish'],
    ['PGPASSWORD', 'swordfish'],
    ['SMTP_PASS', 'swordfish'],
    ['APIKEY', 'abcdefgh'],
    ['API_KEY', 'abcdefgh'],
    ['AUTH_SALT', 'a1b2c3'],
    ['PIN_SECRET', '12345678']
  ])('a value of %s: %s', (key, value) => {
    expect(isSecret(value, key)).toBe(true)
    expect(isSecret(value, 'COMPASS_KEYBOARD_AUTHOR')).toBe(false)
  })

  test('anything of 8 characters with lower case, upper case and digits', () => {
    const mixed = fc
      .tuple(
        fc.stringMatching(/^[a-z]{1,9}$/),
        fc.stringMatching(/^[A-Z]{1,9}$/),
        fc.stringMatching(/^[0-9]{1,9}$/),
        fc.stringMatching(/^[!-~]{5,40}$/)
      )
      .map((parts) => parts.join(''))
    fc.assert(fc.property(mixed, (value) => isSecret(value)))
  })
})
