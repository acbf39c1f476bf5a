import type { DelegationCheck, DetectedRecord } from '@panel/contract/domains'
import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'
import { baseOf, probedName } from './hostname.policy.ts'

/** Where the TXT record that proves the ownership is looked for first; of a wildcard, that of the name it stands below. */
export const challengeName = (hostname: string): string => `_panel-challenge.${baseOf(hostname)}`

const challengePrefix = 'panel-verification='

export const challengeValue = (token: string): string => `${challengePrefix}${token}`

export interface VerificationFacts {
  hostname: string
  token: string
  /** TXT of `challengeName`. */
  txtLookups: readonly Lookup[]
  /** TXT of the host name itself; of a wildcard, of the name it stands below. */
  hostTxtLookups: readonly Lookup[]
  /** A of `probedName`: where the traffic goes; empty where it was not asked. */
  addressLookups: readonly Lookup[]
  publicIp: string | null
}

interface VerificationResult {
  verified: boolean
  /** What to do next. */
  message: string
  detectedRecords: DetectedRecord[]
}

/** Verified when any one resolver has exactly the value, at either name. */
export function evaluateVerification(facts: VerificationFacts): VerificationResult {
  const { hostname, token, txtLookups, hostTxtLookups, addressLookups } = facts
  const wanted = challengeValue(token)
  const verified = token !== '' && plainValues([...txtLookups, ...hostTxtLookups]).includes(wanted)
  return {
    verified,
    message: verified ? `Ownership is verified. ${trafficGuidance(facts)}`.trim() : challengeGuidance(facts, wanted),
    detectedRecords: [
      ...detected(txtLookups, 'TXT', challengeName(hostname)),
      ...detected(hostTxtLookups, 'TXT', baseOf(hostname)),
      ...detected(addressLookups, 'A', probedName(hostname))
    ]
  }
}

const detected = (
  lookups: readonly Lookup[],
  recordType: DetectedRecord['recordType'],
  recordName: string
): DetectedRecord[] =>
  lookups.map(({ resolver, values, error }) => ({ resolver, recordType, recordName, values, error }))

/** Some providers keep the quotes that people paste with the value. */
const plainValues = (lookups: readonly Lookup[]): string[] => [
  ...new Set(
    lookups.flatMap(({ values }) =>
      values.map((value) =>
        value
          .trim()
          .replace(/^"(.*)"$/s, '$1')
          .trim()
      )
    )
  )
]

function trafficGuidance({ hostname, addressLookups, publicIp }: VerificationFacts): string {
  if (publicIp === null || !addressLookups.some(isAnswered)) return ''
  const addresses = [...new Set(addressLookups.flatMap(({ values }) => values))]
  if (addresses.includes(publicIp)) return 'Its traffic comes here.'
  return addresses.length === 0
    ? `To bring its traffic here, add the A record ${hostname} with the value ${publicIp}.`
    : `Its traffic goes to ${listed(addresses)}: change the A record ${hostname} to ${publicIp}.`
}

function challengeGuidance({ hostname, token, txtLookups, hostTxtLookups }: VerificationFacts, wanted: string): string {
  const name = challengeName(hostname)
  const values = plainValues(txtLookups)
  const disagreement =
    values.length > 0 && txtLookups.some((lookup) => isAnswered(lookup) && lookup.values.length === 0)
      ? ' The resolvers do not agree with each other: a change may still be on its way.'
      : ''
  const atChallenge = wrongValue(name, values, token, wanted)
  if (atChallenge !== undefined) return atChallenge + disagreement
  const ours = plainValues(hostTxtLookups).filter(
    (value) => (token !== '' && value.includes(token)) || value.startsWith(challengePrefix)
  )
  const atHost = wrongValue(baseOf(hostname), ours, token, wanted)
  if (atHost !== undefined) return atHost
  if (!txtLookups.some(isAnswered)) return unansweredGuidance(hostname, txtLookups)
  const isEmptyName = txtLookups.some(({ error }) => error === 'NODATA')
  return isEmptyName
    ? `${name} exists, but has no TXT record "${wanted}": add it. If a CNAME is at that name, remove it, since nothing can stand ` +
        `beside a CNAME. ${waitHint}`
    : `No resolver finds a TXT record at ${name}: add it with the value "${wanted}". If your DNS provider completes names itself, ` +
        `leave the domain out of the name. ${waitHint}`
}

const spreading = 'Until a change is seen everywhere, the TTL of the old answer has to pass, often an hour.'
const waitHint = `${spreading} Then verify again.`
const delegationTimeout = `${spreading} Then try again; skipDelegationCheck switches without waiting.`

function wrongValue(name: string, values: readonly string[], token: string, wanted: string): string | undefined {
  if (values.length === 0) return undefined
  if (token !== '' && values.includes(token))
    return `The TXT record ${name} has the token alone: its value must be "${wanted}".`
  if (token !== '' && values.some((value) => value.includes(wanted)))
    return `The TXT record ${name} has more than the value: it must be exactly "${wanted}".`
  const earlier = values.find((value) => value.startsWith(challengePrefix))
  if (earlier !== undefined)
    return `The TXT record ${name} has the value of another verification, "${shortened(earlier)}": replace it by "${wanted}".`
  return (
    `The TXT record ${name} has "${shortened(values[0]!)}" instead of "${wanted}": add a record with this value. If you did not ` +
    'set the one that is there, a CNAME at that name, or a wildcard, leads elsewhere: remove it.'
  )
}

/** Strangers write the values, so that they may be long. */
const shortened = (value: string): string => (value.length > 100 ? `${value.slice(0, 100)}…` : value)

const isAnswered = (lookup: Lookup): boolean => lookup.error === null || saysNone(lookup)

function unansweredGuidance(hostname: string, lookups: readonly Lookup[]): string {
  const errors = listed([...new Set(lookups.flatMap(({ error }) => error ?? []))])
  return lookups.some(({ error }) => error === 'SERVFAIL')
    ? `The resolvers get no answer from the name servers of ${baseOf(hostname)} (${errors}): check at your registrar which they are, ` +
        'that they serve the domain, and that a DS record there belongs to them. Then verify again.'
    : `No resolver answered (${errors || 'none was asked'}): this is no matter of your record, but of the network between this ` +
        'server and them. Try again later.'
}

/** Delegated when one resolver, or the parent zone itself (`delegated`), names every expected name server. */
export function evaluateDelegation({
  expected,
  lookups,
  delegated
}: {
  expected: readonly string[]
  lookups: readonly Lookup[]
  delegated: readonly string[]
}): DelegationCheck {
  const namesAll = (hosts: readonly string[]) =>
    expected.length > 0 && expected.every((host) => hosts.map(hostKey).includes(hostKey(host)))
  const resolvers = lookups.map(({ resolver, values, error }) => ({
    resolver,
    nameservers: values,
    matches: namesAll(values),
    error
  }))
  const isDelegated = namesAll(delegated) || resolvers.some(({ matches }) => matches)
  const matching = [delegated, ...lookups.map(({ values }) => values)].find(namesAll)
  const seen = matching ?? [...new Set([...delegated, ...lookups.flatMap(({ values }) => values)].map(hostKey))]
  return {
    delegated: isDelegated,
    expectedNameservers: [...expected],
    resolvers,
    message: delegationMessage(expected, seen, isDelegated, lookups)
  }
}

const hostKey = (host: string): string => host.toLowerCase().replace(/\.$/, '')

function delegationMessage(
  expected: readonly string[],
  seen: readonly string[],
  isDelegated: boolean,
  lookups: readonly Lookup[]
): string {
  const without = (hosts: readonly string[], others: readonly string[]) =>
    hosts.filter((host) => !others.map(hostKey).includes(hostKey(host)))
  const extra = without(seen, expected)
  const missing = without(expected, seen)
  if (isDelegated)
    return extra.length === 0
      ? `The domain is delegated to ${listed(expected)}.`
      : `The domain is delegated to ${listed(expected)}, but also to ${listed(extra)}, whose answers may differ: remove that at your registrar.`
  if (seen.length > 0)
    return missing.length > 0
      ? `The domain is delegated to ${listed(seen)}. At your registrar, or for a subdomain in the zone above it, add ${listed(missing)}${extra.length > 0 ? ` and remove ${listed(extra)}` : ''}. ${delegationTimeout}`
      : `The resolvers do not agree with each other yet on ${listed(expected)}. ${delegationTimeout}`
  return lookups.length > 0 && !lookups.some((lookup) => isAnswered(lookup) || lookup.error === 'SERVFAIL')
    ? 'No resolver answered: this is a matter of the network between this server and them. Try again later.'
    : `No delegation of the domain is found. At your registrar, or for a subdomain in the zone above it, set ${listed(expected)} as its name servers. ${delegationTimeout}`
}

/** `a`, `a and b`, `a, b and c`; cut where strangers name many. */
function listed(parts: readonly string[]): string {
  const shown = parts.length > 8 ? [...parts.slice(0, 8), `${parts.length - 8} more`] : parts
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
