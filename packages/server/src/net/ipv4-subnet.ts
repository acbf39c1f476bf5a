/** An IPv4 network: its first address as a number, and the length of its prefix. */
export interface Subnet {
  base: number
  prefix: number
}

/** `172.28.0.0/20` (or an address inside it with a prefix) as a subnet; undefined for what is not IPv4. */
export function parseSubnet(cidr: string): Subnet | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(cidr)
  if (!match) return undefined
  const [a, b, c, d, prefix] = match.slice(1).map(Number) as [number, number, number, number, number]
  if (Math.max(a, b, c, d) > 255 || prefix > 32) return undefined
  return subnetOf(((a << 24) | (b << 16) | (c << 8) | d) >>> 0, prefix)
}

export const formatAddress = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')

export const formatSubnet = ({ base, prefix }: Subnet): string => `${formatAddress(base)}/${prefix}`

/** One contains the other: two subnets cannot overlap in any other way. */
export function subnetsOverlap(left: Subnet, right: Subnet): boolean {
  const prefix = Math.min(left.prefix, right.prefix)
  return subnetOf(left.base, prefix).base === subnetOf(right.base, prefix).base
}

/** The destinations in the text of /proc/net/route, without the default route, which says nothing about what is taken. */
export function routedSubnets(procNetRoute: string): Subnet[] {
  const rows = procNetRoute.split('\n').slice(1)
  return rows.flatMap((row) => {
    const [, destination, , , , , , mask] = row.split('\t')
    if (destination === undefined || mask === undefined) return []
    const prefix = littleEndian(mask).toString(2).replaceAll('0', '').length
    return prefix === 0 ? [] : [subnetOf(littleEndian(destination), prefix)]
  })
}

/** Private ranges from which we take networks, in this order. 172.28/14 first: Docker's own pools reach it last; then the upper half of 10/8. */
const ranges = ['172.28.0.0/14', '10.128.0.0/9']

/** Small networks begin where the large ones come last: a panel that chooses its pools finds them whole, and they stay so. */
const rangesOfSmall = ['10.254.0.0/16', '172.30.0.0/16', '10.128.0.0/9']

/** The networks of that size that overlap none of `taken`, in the order in which they are to be tried. */
export const freeSubnets = (taken: readonly Subnet[], prefix = 20): Generator<Subnet> =>
  freeSubnetsIn(
    (prefix < 24 ? ranges : rangesOfSmall).map((cidr) => parseSubnet(cidr)!),
    taken,
    prefix
  )

/** The same within given networks. */
export function* freeSubnetsIn(pools: readonly Subnet[], taken: readonly Subnet[], prefix: number): Generator<Subnet> {
  for (const pool of pools) {
    const inTheWay = taken.filter((other) => subnetsOverlap(pool, other))
    for (let index = 0; index < 2 ** (prefix - pool.prefix); index++) {
      const subnet = { base: pool.base + index * 2 ** (32 - prefix), prefix }
      if (!inTheWay.some((other) => subnetsOverlap(subnet, other))) yield subnet
    }
  }
}

/** The addresses of a network that are left for containers: not the first, the gateway's after it, nor the last. */
export const containerAddresses = ({ base, prefix }: Subnet): string[] =>
  Array.from({ length: Math.max(0, 2 ** (32 - prefix) - 3) }, (_, index) => formatAddress(base + 2 + index))

/**
 * The gateway is the first address. Of a large network the engine chooses addresses from the last /24 only, so the others are ours
 * to give; of a small one there is nothing to divide.
 */
export const networkPlan = (subnet: Subnet): { subnet: string; gateway: string; engineRange: string } => ({
  subnet: formatSubnet(subnet),
  gateway: formatAddress(subnet.base + 1),
  engineRange: formatSubnet(
    subnet.prefix >= 24 ? subnet : { base: subnet.base + 2 ** (32 - subnet.prefix) - 256, prefix: 24 }
  )
})

function subnetOf(address: number, prefix: number): Subnet {
  const size = 2 ** (32 - prefix)
  return { base: Math.floor(address / size) * size, prefix }
}

const littleEndian = (hex: string): number => Buffer.from(hex, 'hex').readUInt32LE(0)
