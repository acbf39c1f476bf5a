import { networkInterfaces } from 'node:os'
import type { Config } from '../../config.ts'

/** The address that names of this server point to: as configured, else the machine's first one that is not its own loopback. */
export function publicIpOf(config: Pick<Config, 'PUBLIC_IP' | 'SERVER_IP'>): string {
  return config.PUBLIC_IP ?? config.SERVER_IP ?? firstAddress() ?? '127.0.0.1'
}

/** The addresses of this server: as configured, else all of the machine's own, since nobody says which one the world sees. */
export function ownAddressesOf({ PUBLIC_IP, SERVER_IP }: Pick<Config, 'PUBLIC_IP' | 'SERVER_IP'>): string[] {
  const configured = [PUBLIC_IP, SERVER_IP].filter((address) => address !== undefined)
  if (configured.length > 0) return configured
  return Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
}

function firstAddress(): string | undefined {
  return Object.entries(networkInterfaces())
    .filter(([name]) => !/^(docker|br-|veth|pn)/.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
}
