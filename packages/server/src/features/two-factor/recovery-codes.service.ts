import { randomBytes } from 'node:crypto'
import type { Dependencies } from '../../dependencies.ts'
import { hashPassword, verifyPassword } from '../users/password.service.ts'

const codeCount = 10
// Crockford's base 32, without ambiguous characters.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export function newRecoveryCodes(random: (size: number) => Uint8Array = randomBytes): string[] {
  return Array.from({ length: codeCount }, () => {
    const text = Array.from(random(10), (byte) => alphabet[byte & 31]).join('')
    return `${text.slice(0, 5)}-${text.slice(5)}`
  })
}

/** Normalizes user input; undefined if it cannot be a recovery code. */
export function readRecoveryCode(typed: string): string | undefined {
  const text = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return /^[0-9a-hjkmnp-tv-z]{10}$/.test(text) ? text : undefined
}

/** Sequential, so that it does not occupy the whole thread pool. */
export async function hashRecoveryCodes(
  deps: Pick<Dependencies, 'config'>,
  userId: string,
  codes: readonly string[]
): Promise<string[]> {
  const hashes: string[] = []
  for (const code of codes) hashes.push(await hashPassword(deps, userId, readRecoveryCode(code)!))
  return hashes
}

export async function matchRecoveryCode(
  userId: string,
  rows: readonly { id: string; codeHash: string }[],
  typed: string
): Promise<string | undefined> {
  const code = readRecoveryCode(typed)
  if (code === undefined) return undefined
  for (const row of rows) if (await verifyPassword(userId, row.codeHash, code)) return row.id
  return undefined
}
