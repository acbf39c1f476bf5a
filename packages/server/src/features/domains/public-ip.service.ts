import { networkInterfaces } from 'node:os'
import type { Config } from '../../config.ts'
import { type Addresses, configuredAddresses } from '../../config/panel.ts'
import { isPublicAddress } from '../../net/public-address.ts'

/** Null where there is no public IPv6 address. */
export const publicIpv6Of = ({ PUBLIC_IPV6 }: Pick<Config, 'PUBLIC_IPV6'>): string | null =>
  PUBLIC_IPV6 ?? machineAddresses('IPv6').find(isPublicAddress) ?? null

/** IP address for A records: as configured, or else the first non-loopback address. */
export function publicIpOf(config: Pick<Config, 'PUBLIC_IP' | 'SERVER_IP'>): string {
  return config.PUBLIC_IP ?? config.SERVER_IP ?? machineAddresses('IPv4')[0] ?? '127.0.0.1'
}

/** Addresses of this server: as configured, or else all interface addresses, because the public one is unknown. */
export function ownAddressesOf(config: Addresses): string[] {
  const configured = configuredAddresses(config)
  if (configured.length > 0) return configured
  return Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
}

/** Public addresses of this server including IPv6: configured ones and interface addresses, at most four. */
export function publicAddressesOf(config: Addresses): string[] {
  const all = [...configuredAddresses(config), ...ownAddressesOf({})]
  return [...new Set(all)].filter(isPublicAddress).slice(0, 4)
}

/** Of the interfaces that lead out of this machine. */
export const machineAddresses = (family: 'IPv4' | 'IPv6'): string[] =>
  Object.entries(networkInterfaces())
    .filter(([name]) => !/^(docker|br-|veth|pn)/.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter((each) => each.family === family && !each.internal && !each.address.startsWith('fe80:'))
    .map(({ address }) => address)
