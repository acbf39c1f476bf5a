import type { MachineRole } from '@panel/contract/machines'
import { containerAddresses, networkPlan, parseSubnet, subnetsOverlap } from '../../net/ipv4-subnet.ts'
import { networkFamily } from '../../net/plain-address.ts'
import { isPublicAddress } from '../../net/public-address.ts'

/** A name may lead anywhere. */
export const isEncryptedByDefault = (host: string): boolean =>
  networkFamily(host) === undefined || isPublicAddress(host)

/**
 * Addresses for one more machine in the encrypted network: the panel has the first of the subnet. Undefined if none is free, or
 * the subnet is in use for something else.
 */
export function nextTunnel({
  subnet: cidr,
  used,
  taken
}: {
  subnet: string
  used: readonly string[]
  taken: readonly string[]
}): { panel: string; machine: string } | undefined {
  const subnet = parseSubnet(cidr)!
  if (taken.some((other) => subnetsOverlap(subnet, parseSubnet(other)!))) return undefined
  const machine = containerAddresses(subnet).find((address) => !used.includes(address))
  return machine === undefined ? undefined : { panel: networkPlan(subnet).gateway, machine }
}

interface MeshMachine {
  id: string
  roles: readonly MachineRole[]
  /** Null until it was set up. */
  publicKey: string | null
}

/**
 * Machines in the encrypted network that the machine `id`, which is in it too, is connected to without the panel's: a proxy for
 * visitors reaches the sites of all others.
 */
export function meshOf<Machine extends MeshMachine>(machines: readonly Machine[], id: string): Machine[] {
  const isEdge = ({ roles }: MeshMachine) => roles.includes('EDGE')
  const isOwnEdge = machines.some((machine) => machine.id === id && isEdge(machine))
  return machines.filter((other) => other.id !== id && other.publicKey !== null && (isOwnEdge || isEdge(other)))
}

/** Seconds after which a session that is in use has made another handshake (its protocol: 120 s, and 90 s to try). */
const staleSeconds = 210

export const isAlive = (handshakeSecondsAgo: number | undefined): boolean =>
  handshakeSecondsAgo !== undefined && handshakeSecondsAgo < staleSeconds
