import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../config.ts'
import { hashRecoveryCodes, matchRecoveryCode, newRecoveryCodes, readRecoveryCode } from './recovery-codes.service.ts'

describe('recovery codes', () => {
  test('creates ten distinct codes without ambiguous characters', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) {
      expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/)
      expect(code).not.toMatch(/[ilou]/)
      expect(readRecoveryCode(code)).toBe(code.replace('-', ''))
    }
  })

  test.each([
    ['ab0d1-efghj', 'ab0d1efghj'],
    [' ABOD1 EFGHJ ', 'ab0d1efghj'],
    ['abOdl-efghj', 'ab0d1efghj'],
    ['ab0dI-efghj', 'ab0d1efghj'],
    ['123456', undefined],
    ['ab0d1-efghju', undefined],
    ['uuuuu-uuuuu', undefined],
    ['', undefined]
  ])('typed as %j', (typed, code) => expect(readRecoveryCode(typed)).toBe(code))

  test('matches a code by its hash', async () => {
    const codes = newRecoveryCodes()
    const hashes = await hashRecoveryCodes(
      { config: parseConfig({ SESSION_SECRET: '0123456789abcdef'.repeat(2) }) },
      'ann',
      codes.slice(0, 2)
    )
    expect(hashes.every((hash) => hash.startsWith('$argon2id$'))).toBe(true)
    const rows = hashes.map((codeHash, i) => ({ id: String(i), codeHash }))
    expect(await matchRecoveryCode('ann', rows, codes[1]!.toUpperCase())).toBe('1')
    expect(await matchRecoveryCode('ann', rows, codes[2]!)).toBeUndefined()
    expect(await matchRecoveryCode('ann', rows, '000000')).toBeUndefined()
  })
})
