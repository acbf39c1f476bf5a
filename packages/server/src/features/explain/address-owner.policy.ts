import type { ProbeResult } from '../certificates/precheck.policy.ts'
import type { DnsObservations } from './observations.types.ts'

type Owner = DnsObservations['addresses'][number]['owner']

interface AddressFacts {
  isOwn: boolean
  isPublic: boolean
  /** The public address is configured. */
  isOwnKnown: boolean
  /** Undefined: not probed. */
  result: ProbeResult | undefined
}

/** Reveals nothing about a foreign address but that it is foreign. */
export function addressOwner({ isOwn, isPublic, isOwnKnown, result }: AddressFacts): Owner {
  if (result === 'proof') return 'here'
  if (isOwn) return result === 'silent' ? 'unreachable' : 'here'
  if (!isPublic) return 'elsewhere'
  // Without a configured address a server behind a router cannot tell its own from others', unless the proof arrived.
  return isOwnKnown || result !== undefined ? 'elsewhere' : 'unknown'
}
