import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { matchTotpStep, newTotpSecret, otpauthUrl } from './totp.policy.ts'

// RFC 6238, appendix B: the secret of the SHA-1 examples; their 8-digit codes end in our 6 digits.
const rfcSecret = Secret.fromLatin1('12345678901234567890').base32
const at = (seconds: number) => new Date(seconds * 1000)
const codeAt = (seconds: number) =>
  TOTP.generate({ secret: Secret.fromBase32(rfcSecret), digits: 6, timestamp: seconds * 1000 })

describe('TOTP', () => {
  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130']
  ])('RFC 6238 at %d s', (seconds, code) =>
    expect(matchTotpStep(rfcSecret, code, at(seconds), null)).toBe(Math.floor(seconds / 30))
  )

  test.each([
    [-60, undefined],
    [-30, 99],
    [0, 100],
    [30, 101],
    [60, undefined]
  ])('a clock that is off by %d s', (drift, step) =>
    expect(matchTotpStep(rfcSecret, codeAt(3000 + drift), at(3000), null)).toBe(step)
  )

  test.each([
    [0, 99, 100],
    [0, 100, undefined],
    [0, 101, undefined],
    [-30, 99, undefined],
    [30, 100, 101]
  ])('the code for %d s from now, with step %d already accepted', (drift, last, step) =>
    expect(matchTotpStep(rfcSecret, codeAt(3000 + drift), at(3000), last)).toBe(step)
  )

  test.each(['', '12345', '1234567', ' 287082', '287082\n', '28708a', '２８７０８２', '-87082'])(
    '%j is not a code',
    (code) => expect(matchTotpStep(rfcSecret, code, at(59), null)).toBeUndefined()
  )

  test('a secret has 160 bits, and its URL has what apps need', () => {
    const secret = newTotpSecret()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const url = new URL(otpauthUrl(secret, 'My panel', 'a+b@example.com'))
    expect(url.protocol + url.host).toBe('otpauth:totp')
    expect(decodeURIComponent(url.pathname)).toBe('/My panel:a+b@example.com')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'My panel',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30'
    })
  })
})
