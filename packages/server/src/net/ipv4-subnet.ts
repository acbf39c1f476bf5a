export interface Subnet {
  base: number
  prefix: number
}

/** Parses a CIDR such as `172.28.0.0/20` (host bits are ignored); undefined if it is not IPv4. */
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

export function subnetsOverlap(left: Subnet, right: Subnet): boolean {
  const prefix = Math.min(left.prefix, right.prefix)
  return subnetOf(left.base, prefix).base === subnetOf(right.base, prefix).base
}

export function routedSubnets(procNetRoute: string): Subnet[] {
  const rows = procNetRoute.split('\n').slice(1)
  return rows.flatMap((row) => {
    const [, destination, , , , , , mask] = row.split('\t')
    if (destination === undefined || mask === undefined) return []
    const prefix = littleEndian(mask).toString(2).replaceAll('0', '').length
    return prefix === 0 ? [] : [subnetOf(littleEndian(destination), prefix)]
  })
}

/** In order of preference. Docker's default pools reach 172.28/14 last. */
const ranges = ['172.28.0.0/14', '10.128.0.0/9']

/** Small networks start where large ones are allocated last, so that pools do not fragment them. */
const rangesOfSmall = ['10.254.0.0/16', '172.30.0.0/16', '10.128.0.0/9']

/** Networks of this size that overlap none of `taken`, in order of preference. */
export const freeSubnets = (taken: readonly Subnet[], prefix = 20): Generator<Subnet> =>
  freeSubnetsIn(
    (prefix < 24 ? ranges : rangesOfSmall).map((cidr) => parseSubnet(cidr)!),
    taken,
    prefix
  )

export function* freeSubnetsIn(pools: readonly Subnet[], taken: readonly Subnet[], prefix: number): Generator<Subnet> {
  for (const pool of pools) {
    const inTheWay = taken.filter((other) => subnetsOverlap(pool, other))
    for (let index = 0; index < 2 ** (prefix - pool.prefix); index++) {
      const subnet = { base: pool.base + index * 2 ** (32 - prefix), prefix }
      if (!inTheWay.some((other) => subnetsOverlap(subnet, other))) yield subnet
    }
  }
}

/** Container addresses of a network: all but the first, the gateway (second) and the last. */
export const containerAddresses = ({ base, prefix }: Subnet): string[] =>
  Array.from({ length: Math.max(0, 2 ** (32 - prefix) - 3) }, (_, index) => formatAddress(base + 2 + index))

/** In a large network the engine allocates from the last /24 only, and the panel from the rest. */
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
