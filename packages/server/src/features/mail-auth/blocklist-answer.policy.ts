import { type BlocklistCheck, type BlocklistCode, blocklistTexts } from '@panel/contract/mail-auth'
import { sentenceText, type Sentence } from '@panel/contract/sentences'
import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'
import { oneLine } from '../../text/one-line.ts'
import type { Blocklist } from './blocklists.policy.ts'
import { reverseLabels } from './reverse-name.policy.ts'

/** RFC 5782 §5: always listed and never listed; shows whether a resolver gets real answers. */
const [alwaysListed, neverListed] = ['127.0.0.2', '127.0.0.1']

export const blocklistQuestions = (address: string, zone: string) => ({
  listed: `${reverseLabels(address)}.${zone}`,
  positive: `${reverseLabels(alwaysListed)}.${zone}`,
  negative: `${reverseLabels(neverListed)}.${zone}`
})

export interface BlocklistAnswers {
  listed: readonly Lookup[]
  positive: readonly Lookup[]
  negative: readonly Lookup[]
  reasons: readonly Lookup[]
}

type Verdict = 'listed' | 'clear' | 'refused' | 'unknown'

/**
 * Combines the answers of several resolvers. A resolver counts only if the RFC 5782 test entries come back correctly:
 * many lists refuse shared public resolvers or return "not listed", and an abandoned list may return "listed" for
 * everything.
 */
export function checkBlocklist({ zone, website }: Blocklist, answers: BlocklistAnswers): BlocklistCheck {
  const verdicts = answers.listed.map((listed, index) =>
    verdictOf(listed, answers.positive[index], answers.negative[index])
  )
  const status = (['listed', 'clear', 'refused'] as const).find((one) => verdicts.includes(one)) ?? 'unknown'
  const codes = [...new Set(answers.listed.flatMap(({ values }) => values.filter(isListing)))].slice(0, 5)
  const reason = answers.reasons.flatMap(({ values }) => values)[0]
  const sentences = [sentenceOf(status, codes, reason)]
  return { zone, status, website, detail: sentenceText(blocklistTexts, sentences), sentences }
}

function verdictOf(listed: Lookup, positive: Lookup | undefined, negative: Lookup | undefined): Verdict {
  const all = [listed, positive, negative].flatMap((lookup) => lookup?.values ?? [])
  if (all.some(isRefusal) || listed.error === 'REFUSED') return 'refused'
  if (negative?.values.some(isListing)) return 'unknown'
  if (listed.values.some(isListing)) return 'listed'
  return saysNone(listed) && positive?.values.some(isListing) ? 'clear' : 'unknown'
}

/** `127.255.255.x`: the list refuses this resolver. */
const isRefusal = (value: string): boolean => value.startsWith('127.255.255.')

/** Any other address is not a listing: an expired list domain may now resolve to a web site. */
const isListing = (value: string): boolean => value.startsWith('127.') && !isRefusal(value)

export const isListedBy = (lookups: readonly Lookup[]): boolean => lookups.some(({ values }) => values.some(isListing))

function sentenceOf(status: Verdict, codes: readonly string[], reason: string | undefined): Sentence<BlocklistCode> {
  if (status !== 'listed')
    return { code: ({ clear: 'CLEAR', refused: 'REFUSED', unknown: 'UNKNOWN' } as const)[status] }
  const values = { codes: codes.join(', ') }
  return reason === undefined
    ? { code: 'LISTED', values }
    : { code: 'LISTED_BECAUSE', values: { ...values, reason: oneLine(reason, 300) } }
}
