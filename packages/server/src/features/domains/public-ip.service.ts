import { networkInterfaces } from 'node:os'
import type { Config } from '../../config.ts'
import { isPublicAddress } from '../../net/public-address.ts'

/** IP address for A records: as configured, or else the first non-loopback address. */
export function publicIpOf(config: Pick<Config, 'PUBLIC_IP' | 'SERVER_IP'>): string {
  return config.PUBLIC_IP ?? config.SERVER_IP ?? firstAddress() ?? '127.0.0.1'
}

/** Addresses of this server: as configured, or else all interface addresses, because the public one is unknown. */
export function ownAddressesOf({ PUBLIC_IP, SERVER_IP }: Pick<Config, 'PUBLIC_IP' | 'SERVER_IP'>): string[] {
  const configured = [PUBLIC_IP, SERVER_IP].filter((address) => address !== undefined)
  if (configured.length > 0) return configured
  return Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
}

/** Public addresses of this server including IPv6: configured ones and interface addresses, at most four. */
export function publicAddressesOf({ PUBLIC_IP, SERVER_IP }: Pick<Config, 'PUBLIC_IP' | 'SERVER_IP'>): string[] {
  const own = ownAddressesOf({ PUBLIC_IP: undefined, SERVER_IP: undefined })
  const all = [SERVER_IP, PUBLIC_IP, ...own].filter((address) => address !== undefined)
  return [...new Set(all)].filter(isPublicAddress).slice(0, 4)
}

function firstAddress(): string | undefined {
  return Object.entries(networkInterfaces())
    .filter(([name]) => !/^(docker|br-|veth|pn)/.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
}
