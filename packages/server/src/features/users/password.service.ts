import { availableParallelism } from 'node:os'
import type { Config } from '../../config.ts'
import { addressKey } from '../../http/client-ip.ts'
import { hasCost, type PasswordCost } from '../../security/password-hash.policy.ts'
import { createThreadPool } from '../../concurrency/thread-pool.ts'

/** To be verified by a hash, or to be hashed at a cost. */
export type PasswordWork = { password: string } & ({ passwordHash: string } | { cost: PasswordCost })

/**
 * On threads of their own, which give way to all that answers requests (password.worker.mjs). One core is left to the event loop and
 * the store besides: what a hash does to the caches and to memory no priority takes back (bench/auth.ts).
 *
 * Some 40 ms each. An office of thirty that signs in at once from one address waits for a second; those at another address wait for one of
 * them at most. What waits in all is done in ten seconds: later nobody is there any more for the answer.
 */
const threads = createThreadPool<PasswordWork, string | boolean>(new URL('./password.worker.mjs', import.meta.url), {
  what: 'passwords',
  threads: Math.max(1, availableParallelism() - 1),
  waiting: 32,
  waitingInAll: 256,
  // As long as a machine that has no processor to spare may keep it waiting.
  answerWithinMs: 60_000
})

/** Whose work it is: the id of an account, or of a stranger the address (addressOf). */
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

/** One of each cost that has been asked for. */
const hashesOfNobody = new Map<string, string>()

/** The work of a verification at each of these costs, without a user: an unknown e-mail address takes as long as a wrong password. */
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
