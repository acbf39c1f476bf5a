import type { DkimKeyStatus } from '@panel/contract/dkim-keys'
import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'
import { carriesKey } from './dkim-record.policy.ts'

interface Key {
  id: string
  status: DkimKeyStatus
  signsSince: Date | null
}

/** Whether its record stands, or stood, where receivers look for it. */
export const isPublished = ({ status }: { status: DkimKeyStatus }): boolean => status !== 'RETIRED'

/** The key that mail is signed with: the one that began last, of two at once the ACTIVE one. Undefined where none has begun. */
export function signingKey<K extends Key>(keys: readonly K[]): K | undefined {
  return keys
    .filter((key) => isPublished(key) && key.signsSince !== null)
    .toSorted((a, b) => b.signsSince!.getTime() - a.signsSince!.getTime() || (b.status === 'ACTIVE' ? 1 : -1))[0]
}

/** A message is tried for five days here, and may lie a day or two with whom it is for before it is verified. */
export const underWayMs = 7 * 24 * 3600 * 1000

/** What stands against the end of a key that was replaced. */
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
  // It ended when the one after it began.
  const later = keys.flatMap(({ signsSince }) =>
    signsSince && signsSince.getTime() > since ? signsSince.getTime() : []
  )
  return now.getTime() - Math.min(...later) < underWayMs ? 'MAIL_UNDER_WAY' : undefined
}

/**
 * Whether our name servers answer with the key: one of them does, and none says anything else. One that does not answer tells nobody
 * anything, and who asks goes on to the next.
 */
export function isAnswered(lookups: readonly Lookup[], publicKey: string): boolean {
  const answers = lookups.filter((lookup) => lookup.error === null || saysNone(lookup))
  return answers.length > 0 && answers.every(({ values }) => values.some((text) => carriesKey(text, publicKey)))
}
