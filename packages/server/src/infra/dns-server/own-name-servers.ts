import { isIPv6 } from 'node:net'
import type { Config } from '../../config.ts'
import { listenAddresses } from '../process/listen-addresses.ts'
import { reachable } from './dns-question.ts'

type Settings = Pick<Config, 'DNS_LISTEN' | 'DNS_PORT' | 'DNS_SECONDARIES'>

export function ownNameServers({ DNS_LISTEN, DNS_PORT, DNS_SECONDARIES }: Settings): string[] {
  const [first = '127.0.0.1'] = DNS_LISTEN.length > 0 ? DNS_LISTEN : listenAddresses()
  return [{ address: reachable(first), port: DNS_PORT }, ...DNS_SECONDARIES].map(
    ({ address, port }) => `${isIPv6(address) ? `[${address}]` : address}:${port}`
  )
}
