import { formatAddress, parseSubnet } from '../../net/ipv4-subnet.ts'

// The first after the gateway: on a network that accounts once shared, theirs begin further on.
const offsets = { 'database-admin': 2, webmail: 3 } as const

/** Where a program of the panel's own is reached, on the panel's network: the same at every start. */
export const ownAddress = (role: keyof typeof offsets, { subnet }: { subnet: string }): string =>
  formatAddress(parseSubnet(subnet)!.base + offsets[role])
