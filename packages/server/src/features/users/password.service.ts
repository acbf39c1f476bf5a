import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createFairQueue } from '../../fair-queue.ts'
import { addressKey } from '../../http/client-ip.ts'

// OWASP Password Storage Cheat Sheet: Argon2id (the library's default), 19 MiB, 2 passes, 1 lane. Runs on libuv's threads, not in the event loop.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Per process: one core is left to the event loop and the store: with a hash on each, everybody else waits for a slice of one (bench/auth.ts).
const threads = Math.max(1, availableParallelism() - 1)

/**
 * Some 40 ms each. An office of thirty that signs in at once from one address waits for a second; those at another address wait for one of
 * them at most. What waits in all is done in ten seconds: later nobody is there any more for the answer.
 */
const queue = createFairQueue({ total: threads, perKey: threads, waiting: 32, waitingInAll: 256 }, 'passwords')

/** Whose work it is: the id of an account, or of a stranger the address (addressOf). */
export type PasswordOwner = string

export const addressOf = ({ ip = '' }: { ip?: string }): PasswordOwner => addressKey(ip)

/** Argon2id in PHC format. */
export const hashPassword = (owner: PasswordOwner, password: string): Promise<string> =>
  queue.run(owner, () => hash(password, parameters))

export const verifyPassword = (owner: PasswordOwner, passwordHash: string, password: string): Promise<boolean> =>
  queue.run(owner, () => verify(passwordHash, password))

let unknownUserHash: Promise<string> | undefined

/** The work of a verification without a user, so that an unknown e-mail address takes as long as a wrong password. */
export async function verifyAgainstNobody(owner: PasswordOwner, password: string): Promise<false> {
  unknownUserHash ??= hash('the password of nobody', parameters)
  await verifyPassword(owner, await unknownUserHash, password)
  return false
}
