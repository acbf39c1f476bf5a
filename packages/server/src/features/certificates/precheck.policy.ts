import type { CertificateProblemCode } from '@panel/contract/certificate-texts'
import type { Sentence } from '@panel/contract/sentences'
import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'

export type CertificateProblem = Sentence<CertificateProblemCode>[]

/** Where a name leads, as the resolvers say. */
interface NameFacts {
  /** All of all resolvers. */
  addresses: readonly string[]
  /** Whether a resolver said for sure that there are none, of either kind. */
  isAnswered: boolean
}

export function nameFacts(a: readonly Lookup[], aaaa: readonly Lookup[]): NameFacts {
  return {
    addresses: [...new Set([...a, ...aaaa].flatMap(({ values }) => values))],
    isAnswered: a.some(saysNone) && aaaa.some(saysNone)
  }
}

/**
 * Why a name's addresses cannot be right; undefined also where no resolver said anything, since the authority asks by itself. Whether
 * an address may be asked for the proof is decided here: a stranger's zone must not send us to our own network.
 */
export function addressProblem(
  hostname: string,
  { addresses, isAnswered }: NameFacts,
  { publicIp, isAllowed }: { publicIp: string; isAllowed: (address: string) => boolean }
): CertificateProblem | undefined {
  if (addresses.length === 0)
    return isAnswered ? [{ code: 'ADDRESS_MISSING', values: { hostname, publicIp } }, waitHint] : undefined
  const wrong = addresses.find((address) => !isAllowed(address))
  if (wrong === undefined) return undefined
  const values = { hostname, address: wrong }
  return isIpv6(wrong)
    ? [{ code: 'ADDRESS_NOT_PUBLIC_AAAA', values }, waitHint]
    : [{ code: 'ADDRESS_NOT_PUBLIC', values: { ...values, publicIp } }, waitHint]
}

/**
 * What came of asking an address for a proof: the proof itself, something else, a redirection (which an authority follows and we do not),
 * nothing, or no way there from here, as to IPv6 addresses from a host without IPv6.
 */
export type ProbeResult = 'proof' | 'other' | 'redirected' | 'silent' | 'no-way'

/**
 * Why the authority will not find the proof. An authority takes any of the addresses, so that one that leads elsewhere is one too many;
 * one that is only silent is passed over. The message tells of an answer only that it was not ours.
 */
export function probeProblem(
  hostname: string,
  probes: readonly { address: string; result: ProbeResult }[],
  { publicIp, port }: { publicIp: string; port: number }
): CertificateProblem | undefined {
  const wrong = probes.find(({ result }) => result === 'other') ?? silentProblem(probes)
  if (!wrong) return undefined
  const { address } = wrong
  const where = { address, port: String(port) }
  const remedies: CertificateProblem =
    address === publicIp
      ? [{ code: 'OPEN_PORT', values: where }]
      : isIpv6(address)
        ? [{ code: 'CHANGE_AAAA_RECORD', values: where }, waitHint]
        : [{ code: 'CHANGE_A_RECORD', values: { ...where, publicIp } }, waitHint]
  return [{ code: 'LEADS_ELSEWHERE', values: { hostname, ...where } }, ...remedies]
}

function silentProblem(probes: readonly { address: string; result: ProbeResult }[]) {
  const isUseful = ({ result }: { result: ProbeResult }) => result === 'proof' || result === 'redirected'
  return probes.some(isUseful) ? undefined : probes.find(({ result }) => result === 'silent')
}

const isIpv6 = (address: string): boolean => address.includes(':')

const waitHint = { code: 'WAIT_FOR_TTL' } as const
