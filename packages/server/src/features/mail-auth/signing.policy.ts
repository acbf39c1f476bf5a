import type { DkimKeyStatus } from '@panel/contract/dkim-keys'
import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'
import { carriesKey } from './dkim-record.policy.ts'

interface Key {
  id: string
  status: DkimKeyStatus
  signsSince: Date | null
}

export const isPublished = ({ status }: { status: DkimKeyStatus }): boolean => status !== 'RETIRED'

/** The key that signs: the one that started last; ACTIVE wins a tie. Undefined if none has started. */
export function signingKey<K extends Key>(keys: readonly K[]): K | undefined {
  return keys
    .filter((key) => isPublished(key) && key.signsSince !== null)
    .toSorted((a, b) => b.signsSince!.getTime() - a.signsSince!.getTime() || (b.status === 'ACTIVE' ? 1 : -1))[0]
}

/** Our queue lifetime of five days, plus time at the recipient's server before verification. */
export const underWayMs = 7 * 24 * 3600 * 1000

/** Why a replaced key cannot be retired yet. */
export function retirementProblem(
  key: Key,
  keys: readonly Key[],
  now: Date
): 'ACTIVE' | 'SIGNING' | 'MAIL_UNDER_WAY' | undefined {
  if (key.status === 'ACTIVE') return 'ACTIVE'
  const signing = signingKey(keys)
  if (signing?.id === key.id) return 'SIGNING'
  const since = key.signsSince?.getTime()
  if (since === undefined) return undefined
  // It stopped signing when the next key started.
  const later = keys.flatMap(({ signsSince }) =>
    signsSince && signsSince.getTime() > since ? signsSince.getTime() : []
  )
  return now.getTime() - Math.min(...later) < underWayMs ? 'MAIL_UNDER_WAY' : undefined
}

/**
 * Whether our name servers publish the key: at least one returns it, and none returns anything else. Servers that do
 * not respond do not count, because resolvers ask the next one.
 */
export function isAnswered(lookups: readonly Lookup[], publicKey: string): boolean {
  const answers = lookups.filter((lookup) => lookup.error === null || saysNone(lookup))
  return answers.length > 0 && answers.every(({ values }) => values.some((text) => carriesKey(text, publicKey)))
}
