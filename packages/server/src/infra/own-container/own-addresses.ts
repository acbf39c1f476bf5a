import { formatAddress, parseSubnet } from '../../net/ipv4-subnet.ts'

// The first addresses after the gateway; account addresses on the formerly shared network start further on.
const offsets = { 'database-admin': 2, webmail: 3 } as const

export const ownAddress = (role: keyof typeof offsets, { subnet }: { subnet: string }): string =>
  formatAddress(parseSubnet(subnet)!.base + offsets[role])
