import type { Dependencies } from '../../dependencies.ts'
import { type PasswordCost, readPasswordCost } from '../../security/password-hash.policy.ts'
import { listHashCosts } from './users.repository.ts'

const knownForMs = 60_000
const known = new WeakMap<object, { at: number; costs: readonly string[] }>()

/** Argon2 costs in use: PASSWORD_HASH, and earlier ones of accounts that have not signed in since it changed. */
export async function listPasswordCosts({
  config: { PASSWORD_HASH },
  db,
  now
}: Pick<Dependencies, 'config' | 'db' | 'now'>): Promise<readonly PasswordCost[]> {
  const at = now().getTime()
  let found = known.get(db)
  if (!found || Math.abs(at - found.at) >= knownForMs) {
    found = { at, costs: await listHashCosts(db) }
    known.set(db, found)
  }
  const before = found.costs.map(readPasswordCost).filter((cost) => cost !== undefined)
  return [PASSWORD_HASH, ...before.filter(({ m, t }) => m !== PASSWORD_HASH.m || t !== PASSWORD_HASH.t)]
}
