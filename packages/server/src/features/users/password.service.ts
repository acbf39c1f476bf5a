import { availableParallelism } from 'node:os'
import type { Config } from '../../config.ts'
import { addressKey } from '../../http/client-ip.ts'
import { hasCost, type PasswordCost } from '../../security/password-hash.policy.ts'
import { createThreadPool } from '../../concurrency/thread-pool.ts'

/** Verify against a hash, or hash at a cost. */
export type PasswordWork = { password: string } & ({ passwordHash: string } | { cost: PasswordCost })

/**
 * Low-priority threads (password.worker.mjs). One core stays free for the event loop and the database, because hashing
 * also evicts caches and uses memory bandwidth, which priorities do not limit (bench/auth.ts).
 *
 * A hash takes about 40 ms: thirty sign-ins at once from one address take a second, and other addresses wait for one of
 * them at most. The whole queue takes ten seconds, about as long as clients wait.
 */
const threads = createThreadPool<PasswordWork, string | boolean>(new URL('./password.worker.mjs', import.meta.url), {
  what: 'passwords',
  threads: Math.max(1, availableParallelism() - 1),
  waiting: 32,
  waitingInAll: 256,
  // Allows for a machine under full load.
  answerWithinMs: 60_000
})

/** For fair queueing: account ID, or address of an unauthenticated client (addressOf). */
export type PasswordOwner = string

export const addressOf = ({ ip = '' }: { ip?: string }): PasswordOwner => addressKey(ip)

type Deps = { config: Pick<Config, 'PASSWORD_HASH'> }

/** Argon2id in PHC format. */
export const hashPassword = ({ config }: Deps, owner: PasswordOwner, password: string): Promise<string> =>
  threads.run(owner, { password, cost: config.PASSWORD_HASH }) as Promise<string>

export const verifyPassword = (owner: PasswordOwner, passwordHash: string, password: string): Promise<boolean> =>
  threads.run(owner, { password, passwordHash }) as Promise<boolean>

/** Whether PASSWORD_HASH has changed since it was hashed. */
export const isOutdated = ({ config }: Deps, passwordHash: string): boolean =>
  !hasCost(passwordHash, config.PASSWORD_HASH)

/** Dummy hash per cost. */
const hashesOfNobody = new Map<string, string>()

/** Verifies against dummy hashes, so that an unknown email takes as long as a wrong password. */
export async function verifyAgainstNobody(
  owner: PasswordOwner,
  password: string,
  costs: readonly PasswordCost[]
): Promise<false> {
  for (const cost of costs) {
    const key = JSON.stringify(cost)
    const hash = hashesOfNobody.get(key) ?? (await hashPassword({ config: { PASSWORD_HASH: cost } }, owner, key))
    hashesOfNobody.set(key, hash)
    await verifyPassword(owner, hash, password)
  }
  return false
}
