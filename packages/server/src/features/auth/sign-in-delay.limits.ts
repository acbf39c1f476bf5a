import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { limitKey } from '../../http/client-ip.ts'
import { listSignInAddresses } from '../sessions/live-sessions.service.ts'
import type { UserRow } from '../users/account-access.ts'
import { signInDelayMs } from './sign-in-delay.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'failedSignIns' | 'now'>

/** Tries to sign in to one account that wait at once in this process. */
const waitingAtMost = 4
const waiting = new Map<string, number>()
const knownForDays = 90

/**
 * Slows down guesses from many addresses, each of which the limit per address lets through. An address from which the account's owner has
 * signed in before is not held up by what others do, and anywhere else the owner waits some seconds: it is no lock. The same is done for an
 * address that is nobody's. Resolves with what ends the wait of the next ones.
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
    const sentence = `There are too many tries for this account just now. Try again in ${retryAfterSeconds} seconds, or from where you have signed in before.`
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
  // Asked for nobody's account too, which then takes as long.
  const addresses = await listSignInAddresses(deps.db, user?.id ?? '', since)
  return addresses.some((address) => limitKey(address) === limitKey(ip))
}

/** What was typed may be a password in the wrong field: the store of counts does not learn it. */
const keyOf = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('base64url')
