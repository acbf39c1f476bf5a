import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '../../semaphore.ts'

// OWASP Password Storage Cheat Sheet: Argon2id (the library's default), 19 MiB, 2 passes, 1 lane. Runs on libuv's threads, not in the event loop.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Per process: one core is left to the event loop and the store: with a hash on each, everybody else waits for a slice of one (bench/auth.ts).
const limited = createSemaphore(Math.max(1, availableParallelism() - 1))

/** Argon2id in PHC format. */
export const hashPassword = (password: string): Promise<string> => limited(() => hash(password, parameters))

export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  limited(() => verify(passwordHash, password))

let unknownUserHash: Promise<string> | undefined

/** The work of a verification without a user, so that an unknown e-mail address takes as long as a wrong password. */
export async function verifyAgainstNobody(password: string): Promise<false> {
  unknownUserHash ??= hashPassword('the password of nobody')
  await verifyPassword(await unknownUserHash, password)
  return false
}
