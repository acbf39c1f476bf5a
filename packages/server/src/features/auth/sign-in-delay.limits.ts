import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { limitKey } from '../../http/client-ip.ts'
import { listSignInAddresses } from '../sessions/live-sessions.service.ts'
import type { UserRow } from '../users/account-access.ts'
import { signInDelayMs } from './sign-in-delay.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'failedSignIns' | 'now'>

/** Concurrent delayed sign-ins per account in this process. */
const waitingAtMost = 4
const waiting = new Map<string, number>()
const knownForDays = 90

/**
 * Slows down password guesses from many addresses, which the limit per address does not catch. It never locks an
 * account: sign-ins from an address the owner used before are not delayed, others only by some seconds. Unknown
 * emails are delayed too, so that they cannot be enumerated. Returns a function that ends the wait of the next ones.
 */
export async function waitToSignIn(
  deps: Deps,
  { ip }: { ip?: string },
  email: string,
  user: Pick<UserRow, 'id'> | undefined
): Promise<() => void> {
  const key = keyOf(email)
  const delayMs = signInDelayMs(await deps.failedSignIns.count(key))
  if (delayMs === 0 || ip === undefined || (await isKnown(deps, ip, user))) return () => {}
  const others = waiting.get(key) ?? 0
  if (others >= waitingAtMost) {
    const retryAfterSeconds = Math.ceil(delayMs / 1000)
    const sentence = `Too many sign-in attempts for this account. Try again in ${retryAfterSeconds} seconds, or from a location where you have signed in before.`
    throw new AppError('RATE_LIMITED', sentence, { retryAfterSeconds })
  }
  waiting.set(key, others + 1)
  await sleep(delayMs)
  return () => {
    const left = waiting.get(key)! - 1
    if (left === 0) waiting.delete(key)
    else waiting.set(key, left)
  }
}

export const countWrongPassword = (deps: Pick<Deps, 'failedSignIns'>, email: string): Promise<void> =>
  deps.failedSignIns.add(keyOf(email))

async function isKnown(deps: Deps, ip: string, user: Pick<UserRow, 'id'> | undefined): Promise<boolean> {
  const since = new Date(deps.now().getTime() - knownForDays * 24 * 3600 * 1000)
  // Also run for unknown accounts, so that the time is the same.
  const addresses = await listSignInAddresses(deps.db, user?.id ?? '', since)
  return addresses.some((address) => limitKey(address) === limitKey(ip))
}

/** Hashed, because the user may have typed a password into the wrong field. */
const keyOf = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('base64url')
