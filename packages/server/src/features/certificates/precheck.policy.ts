import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'

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
): string | undefined {
  if (addresses.length === 0)
    return isAnswered
      ? `No resolver finds an address of ${hostname}: add the A record ${hostname} with the value ${publicIp}. ${waitHint}`
      : undefined
  const wrong = addresses.find((address) => !isAllowed(address))
  if (wrong === undefined) return undefined
  const type = recordType(wrong)
  return (
    `${hostname} points to ${wrong}, which is no address on the Internet, so that no certificate authority gets there: ` +
    `${type === 'A' ? `change its A record to ${publicIp}` : 'change or remove its AAAA record'}. ${waitHint}`
  )
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
): string | undefined {
  const wrong = probes.find(({ result }) => result === 'other') ?? silentProblem(probes)
  if (!wrong) return undefined
  const { address } = wrong
  const type = recordType(address)
  const remedy =
    address === publicIp
      ? `Port ${port} must lead to this server, also through a firewall or router in front of it; where only the server itself cannot reach that address, whoever runs it can set ACME_CHECK_REACHABLE=false.`
      : `${type === 'A' ? `Change its A record to ${publicIp}` : 'Change or remove its AAAA record'}, or have what is at ${address} pass that path on to this server. ${waitHint}`
  return `http://${hostname}/.well-known/acme-challenge/ does not lead to this server at ${address} (port ${port}), which is where the certificate authority looks. ${remedy}`
}

function silentProblem(probes: readonly { address: string; result: ProbeResult }[]) {
  const isUseful = ({ result }: { result: ProbeResult }) => result === 'proof' || result === 'redirected'
  return probes.some(isUseful) ? undefined : probes.find(({ result }) => result === 'silent')
}

const recordType = (address: string): 'A' | 'AAAA' => (address.includes(':') ? 'AAAA' : 'A')

const waitHint = 'Until a change is seen everywhere, the TTL of the old answer has to pass, often an hour.'
