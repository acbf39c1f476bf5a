import { type ReverseDnsCheck, type ReverseDnsCode, reverseDnsTexts } from '@panel/contract/mail-auth'
import { sentenceText, type SentenceValues } from '@panel/contract/sentences'
import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'
import { oneLine } from '../../text/one-line.ts'

/** PTR names that are verified per address. */
const maxNames = 3

/** Untrusted: PTR records are set by the operator of the network. */
export const claimedNames = (lookups: readonly Lookup[]): string[] =>
  [...new Set(lookups.flatMap(({ values }) => values))].slice(0, maxNames)

interface ReverseDnsFacts {
  address: string
  /** Name that the server uses in EHLO. */
  hostname: string
  pointers: readonly Lookup[]
  /** Addresses by claimed name. */
  forward: ReadonlyMap<string, readonly Lookup[]>
}

/** Whether the PTR name resolves back to the address (FCrDNS): many receivers reject mail without it. */
export function checkReverseDns({ address, hostname, pointers, forward }: ReverseDnsFacts): ReverseDnsCheck {
  const names = claimedNames(pointers)
  const shown = names.map((name) => oneLine(name, 253))
  const check = (status: ReverseDnsCheck['status'], code: ReverseDnsCode, more: SentenceValues = {}) => {
    const sentences = [{ code, values: { address, hostname, ...more } }]
    return { status, names: shown, detail: sentenceText(reverseDnsTexts, sentences), sentences }
  }
  if (names.length === 0)
    return pointers.some(saysNone) ? check('fail', 'NO_NAME') : check('unknown', 'NO_ANSWER', errorsOf(pointers))
  const confirmed = names.filter((name) => forward.get(name)?.some(({ values }) => values.includes(address)))
  if (confirmed.includes(hostname)) return check('pass', 'CONFIRMED')
  const [first] = confirmed
  if (first !== undefined) return check('pass', 'OTHER_NAME', { name: oneLine(first, 253) })
  const isKnown = names.every((name) => forward.get(name)?.some((lookup) => lookup.error === null || saysNone(lookup)))
  return isKnown
    ? check('fail', 'NOT_BACK', { names: shown.join(', ') })
    : check('unknown', 'NO_ANSWER', errorsOf([...forward.values()].flat()))
}

const errorsOf = (lookups: readonly Lookup[]): SentenceValues => ({
  errors: [...new Set(lookups.flatMap(({ error }) => error ?? []))].join(', ') || 'no resolver was queried'
})
