import {
  type DelegationCode,
  delegationTexts,
  type VerificationCode,
  verificationTexts
} from '@panel/contract/domain-texts'
import type { DelegationCheck, DetectedRecord, VerifyResult } from '@panel/contract/domains'
import { sentenceText, type Sentence } from '@panel/contract/sentences'
import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'
import { baseOf, probedName } from './hostname.policy.ts'

/** Name of the verification TXT record; for a wildcard, that of its parent. */
export const challengeName = (hostname: string): string => `_panel-challenge.${baseOf(hostname)}`

const challengePrefix = 'panel-verification='

export const challengeValue = (token: string): string => `${challengePrefix}${token}`

export interface VerificationFacts {
  hostname: string
  token: string
  txtLookups: readonly Lookup[]
  /** TXT records at the hostname itself, or at the parent of a wildcard. */
  hostTxtLookups: readonly Lookup[]
  /** A records at `probedName`; empty if not queried. */
  addressLookups: readonly Lookup[]
  publicIp: string | null
}

type VerificationSentence = Sentence<VerificationCode>

export const verificationMessage = (
  sentences: VerificationSentence[]
): Pick<VerifyResult, 'message' | 'sentences'> => ({ message: sentenceText(verificationTexts, sentences), sentences })

export function evaluateVerification(
  facts: VerificationFacts
): Pick<VerifyResult, 'verified' | 'message' | 'sentences' | 'detectedRecords'> {
  const { hostname, token, txtLookups, hostTxtLookups, addressLookups } = facts
  const wanted = challengeValue(token)
  const verified = token !== '' && plainValues([...txtLookups, ...hostTxtLookups]).includes(wanted)
  return {
    verified,
    ...verificationMessage(
      verified ? [{ code: 'VERIFIED' }, ...trafficGuidance(facts)] : challengeGuidance(facts, wanted)
    ),
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

/** Strips quotes that some providers store with the value. */
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

function trafficGuidance({ hostname, addressLookups, publicIp }: VerificationFacts): VerificationSentence[] {
  if (publicIp === null || !addressLookups.some(isAnswered)) return []
  const addresses = [...new Set(addressLookups.flatMap(({ values }) => values))]
  if (addresses.includes(publicIp)) return [{ code: 'TRAFFIC_HERE' }]
  return addresses.length === 0
    ? [{ code: 'TRAFFIC_NOWHERE', values: { hostname, publicIp } }]
    : [{ code: 'TRAFFIC_ELSEWHERE', values: { addresses, hostname, publicIp } }]
}

function challengeGuidance(
  { hostname, token, txtLookups, hostTxtLookups }: VerificationFacts,
  wanted: string
): VerificationSentence[] {
  const name = challengeName(hostname)
  const values = plainValues(txtLookups)
  const isDisputed = values.length > 0 && txtLookups.some((lookup) => isAnswered(lookup) && lookup.values.length === 0)
  const atChallenge = wrongValue(name, values, token, wanted)
  if (atChallenge !== undefined) return isDisputed ? [atChallenge, { code: 'RESOLVERS_DISAGREE' }] : [atChallenge]
  const ours = plainValues(hostTxtLookups).filter(
    (value) => (token !== '' && value.includes(token)) || value.startsWith(challengePrefix)
  )
  const atHost = wrongValue(baseOf(hostname), ours, token, wanted)
  if (atHost !== undefined) return [atHost]
  if (!txtLookups.some(isAnswered)) return [unansweredGuidance(hostname, txtLookups)]
  const isEmptyName = txtLookups.some(({ error }) => error === 'NODATA')
  return [{ code: isEmptyName ? 'NO_TXT_AT_NAME' : 'NO_TXT', values: { name, wanted } }, { code: 'WAIT_AND_VERIFY' }]
}

function wrongValue(
  name: string,
  values: readonly string[],
  token: string,
  wanted: string
): VerificationSentence | undefined {
  if (values.length === 0) return undefined
  if (token !== '' && values.includes(token)) return { code: 'TOKEN_ALONE', values: { name, wanted } }
  if (token !== '' && values.some((value) => value.includes(wanted)))
    return { code: 'MORE_THAN_VALUE', values: { name, wanted } }
  const earlier = values.find((value) => value.startsWith(challengePrefix))
  return earlier === undefined
    ? { code: 'OTHER_VALUE', values: { name, found: shortened(values[0]!), wanted } }
    : { code: 'OTHER_VERIFICATION', values: { name, found: shortened(earlier), wanted } }
}

const shortened = (value: string): string => (value.length > 100 ? `${value.slice(0, 100)}…` : value)

const isAnswered = (lookup: Lookup): boolean => lookup.error === null || saysNone(lookup)

function unansweredGuidance(hostname: string, lookups: readonly Lookup[]): VerificationSentence {
  const errors = [...new Set(lookups.flatMap(({ error }) => error ?? []))]
  if (errors.includes('SERVFAIL')) return { code: 'SERVERS_SILENT', values: { domain: baseOf(hostname), errors } }
  return errors.length === 0 ? { code: 'NONE_ASKED' } : { code: 'NO_ANSWER', values: { errors } }
}

/** Delegated if one resolver, or the parent zone itself (`delegated`), lists every expected name server. */
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
  const sentences = delegationSentences(expected, seen, isDelegated, lookups)
  return {
    delegated: isDelegated,
    expectedNameservers: [...expected],
    resolvers,
    message: sentenceText(delegationTexts, sentences),
    sentences
  }
}

const hostKey = (host: string): string => host.toLowerCase().replace(/\.$/, '')

function delegationSentences(
  expected: readonly string[],
  seen: readonly string[],
  isDelegated: boolean,
  lookups: readonly Lookup[]
): Sentence<DelegationCode>[] {
  const without = (hosts: readonly string[], excluded: readonly string[]) =>
    hosts.filter((host) => !excluded.map(hostKey).includes(hostKey(host)))
  const others = without(seen, expected)
  const missing = without(expected, seen)
  const servers = [...expected]
  const wait = { code: 'WAIT_AND_TRY' } as const
  if (isDelegated)
    return [
      others.length === 0
        ? { code: 'DELEGATED', values: { servers } }
        : { code: 'DELEGATED_ALSO', values: { servers, others } }
    ]
  if (seen.length > 0 && missing.length === 0) return [{ code: 'RESOLVERS_DISAGREE', values: { servers } }, wait]
  if (seen.length > 0)
    return [
      { code: 'DELEGATED', values: { servers: [...seen] } },
      others.length > 0
        ? { code: 'ADD_AND_REMOVE', values: { missing, others } }
        : { code: 'ADD', values: { missing } },
      wait
    ]
  return lookups.length > 0 && !lookups.some((lookup) => isAnswered(lookup) || lookup.error === 'SERVFAIL')
    ? [{ code: 'NO_ANSWER' }]
    : [{ code: 'NOT_FOUND', values: { servers } }, wait]
}
