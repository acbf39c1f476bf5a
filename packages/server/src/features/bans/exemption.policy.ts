import { networksOverlap } from '../../net/plain-address.ts'

/** Networks and addresses that are never banned, by the reason. */
export interface Exemptions {
  server: readonly string[]
  containers: readonly string[]
  trustedProxies: readonly string[]
  allowed: readonly string[]
  /** Addresses from which an administrator has a session. */
  administrators: readonly string[]
}

export type Exemption = keyof Exemptions

// Loopback, unspecified, link-local and multicast addresses.
const special = ['127.0.0.0/8', '0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3', '::/64', 'fe80::/10', 'ff00::/8']

/** Why an address is never banned; undefined if it can be. A /64 is exempt if a part of it is. */
export function findExemption(address: string, exemptions: Exemptions): Exemption | undefined {
  const all: [Exemption, readonly string[]][] = [
    ['server', special],
    ...(Object.entries(exemptions) as [Exemption, readonly string[]][])
  ]
  return all.find(([, networks]) => networks.some((network) => networksOverlap(network, address)))?.[0]
}
