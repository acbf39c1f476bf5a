import type { ChallengeType } from '../../infra/acme/acme.ts'
import { baseOf } from '../domains/hostname.policy.ts'
import type { CertificateProblem } from './precheck.policy.ts'

export interface CaaRecords {
  name: string
  /** One set per resolver that has records, formatted by infra/public-dns. */
  sets: readonly (readonly string[])[]
}

/** All names are queried in parallel; a name may have 127 labels. */
const maxCaaNames = 10

/** Nearest first, starting at a wildcard's parent (RFC 8659 §3). Limited to ten; the CA checks the rest. */
export function caaNames(hostname: string): string[] {
  const labels = baseOf(hostname).split('.')
  return labels.slice(0, maxCaaNames).map((_label, index) => labels.slice(index).join('.'))
}

/** One resolver whose records allow the CA is enough: they differ during a change, and the CA queries for itself. */
export function caaProblem(facts: {
  hostname: string
  challengeType: ChallengeType
  /** CAA identities of the CA; if it publishes none, the check is skipped. */
  identities: readonly string[]
  records: CaaRecords | undefined
}): CertificateProblem | undefined {
  const { records, identities } = facts
  if (!records || identities.length === 0) return undefined
  const problems = records.sets.map((set) => problemOfSet(set, records.name, facts))
  return problems.every((problem) => problem !== undefined) ? problems[0] : undefined
}

interface Property {
  isCritical: boolean
  tag: string
  value: string
}

/** Tags of RFC 8659, RFC 9495 and the CA/Browser Forum. A critical one of these does not forbid TLS certificates. */
const knownTags = ['issue', 'issuewild', 'iodef', 'issuemail', 'issuevmc', 'contactemail', 'contactphone']

function problemOfSet(
  set: readonly string[],
  name: string,
  facts: { hostname: string; challengeType: ChallengeType; identities: readonly string[] }
): CertificateProblem | undefined {
  const { hostname, challengeType, identities } = facts
  const properties = set.flatMap((text) => parseProperty(text) ?? [])
  const unknown = properties.find(({ isCritical, tag }) => isCritical && !knownTags.includes(tag))
  if (unknown) return [{ code: 'CAA_CRITICAL', values: { name, tag: unknown.tag.slice(0, 40) } }]
  const wild = properties.filter(({ tag }) => tag === 'issuewild')
  const isWild = hostname.startsWith('*.') && wild.length > 0
  const relevant = isWild ? wild : properties.filter(({ tag }) => tag === 'issue')
  if (relevant.length === 0) return undefined
  const own = relevant.map(({ value }) => parseIssuer(value)).filter(({ issuer }) => identities.includes(issuer))
  const record = `0 ${isWild ? 'issuewild' : 'issue'} "${identities[0]}"`
  if (own.length === 0) return [{ code: 'CAA_OTHERS_ONLY', values: { name, record } }]
  if (own.every(({ methods }) => methods !== undefined && !methods.includes(challengeType)))
    return [{ code: 'CAA_OTHER_METHODS', values: { name, method: challengeType } }]
  return undefined
}

function parseProperty(text: string): Property | undefined {
  const [, flags, tag, value] = /^(\d{1,3}) (\S+) "(.*)"$/s.exec(text) ?? []
  if (flags === undefined || tag === undefined || value === undefined) return undefined
  return { isCritical: (Number(flags) & 128) !== 0, tag: tag.toLowerCase(), value: value.replace(/\\(.)/gs, '$1') }
}

/** `ca.example.net; validationmethods=http-01,dns-01` (RFC 8659 §4.2, RFC 8657 §4). An empty issuer forbids all CAs. */
function parseIssuer(value: string): { issuer: string; methods: string[] | undefined } {
  const [issuer = '', ...parameters] = value.split(';').map((part) => part.trim().toLowerCase())
  const methods = parameters.find((parameter) => /^validationmethods\s*=/.test(parameter))
  return {
    issuer,
    methods: methods
      ?.replace(/^[^=]*=/, '')
      .split(',')
      .map((method) => method.trim())
  }
}
