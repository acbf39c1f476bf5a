import type { CertificateProblemCode } from '@panel/contract/certificate-texts'
import type { Sentence } from '@panel/contract/sentences'
import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'

export type CertificateProblem = Sentence<CertificateProblemCode>[]

interface NameFacts {
  addresses: readonly string[]
  /** A resolver confirmed that there are neither A nor AAAA records. */
  isAnswered: boolean
}

export function nameFacts(a: readonly Lookup[], aaaa: readonly Lookup[]): NameFacts {
  return {
    addresses: [...new Set([...a, ...aaaa].flatMap(({ values }) => values))],
    isAnswered: a.some(saysNone) && aaaa.some(saysNone)
  }
}

/** Also decides which addresses may be probed: a foreign zone must not direct us to our own network (SSRF). */
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

/** `redirected`: CAs follow it, we do not. `no-way`: no route from here, such as IPv6 on a host without it. */
export type ProbeResult = 'proof' | 'other' | 'redirected' | 'silent' | 'no-way'

/** The CA may pick any address, so a single wrong one is a problem. Reveals nothing about a foreign response. */
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
