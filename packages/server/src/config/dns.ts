import { isIP } from 'node:net'
import { z } from 'zod'
import { isHostname } from '../net/hostname.ts'
import { ownDomain } from './panel.ts'
import { listOf, parsedBy, port } from './values.ts'

/** The name server, and the resolvers for zones hosted elsewhere. */
export const dnsVariables = {
  DNS_RESOLVERS: z.string().default('1.1.1.1,8.8.8.8,9.9.9.9').pipe(parsedBy(parseResolvers)),
  DNS_NAMESERVERS: z.string().default('').pipe(parsedBy(parseNameservers)),
  DNS_PORT: port.default(53),
  DNS_LISTEN: z.string().default('').pipe(parsedBy(parseAddresses)),
  DNS_SECONDARIES: z.string().default('').pipe(parsedBy(parseSecondaries)),
  /** Mail address of the zones' SOA records. */
  DNS_HOSTMASTER: z
    .string()
    .regex(/^[a-z0-9._-]{1,63}@[a-z0-9.-]{1,189}$/, 'must be an address such as hostmaster@example.com')
    .refine((address) => isHostname(address.split('@')[1] ?? ''), { error: 'must have a hostname after the @' })
    .optional(),
  PANEL_MOCK_DNS: z.stringbool().default(false)
}

export const dnsDefaults = (
  values: { DNS_NAMESERVERS: string[]; DNS_HOSTMASTER?: string | undefined } & Parameters<typeof ownDomain>[0]
) => ({
  DNS_NAMESERVERS:
    values.DNS_NAMESERVERS.length > 0
      ? values.DNS_NAMESERVERS
      : ['ns1', 'ns2'].map((label) => `${label}.${ownDomain(values)}`),
  DNS_HOSTMASTER: values.DNS_HOSTMASTER ?? `hostmaster@${ownDomain(values)}`
})

/** `ip`, `ip:port`, `[ip6]:port`: comma-separated. Throws with a sentence that says what is wrong. */
function parseResolvers(text: string): string[] {
  const resolvers = listOf(text)
  const bad = resolvers.find((resolver) => {
    const [, six, four, portText] = /^(?:\[([0-9a-fA-F:]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(resolver) ?? []
    const isAddress = isIP(six ?? four ?? resolver) !== 0
    return !isAddress || (portText !== undefined && !isPort(portText))
  })
  if (bad !== undefined) throw new Error(`must be addresses such as 1.1.1.1 or 127.0.0.11:5353, not "${bad}"`)
  if (resolvers.length === 0) throw new Error('must name at least one resolver')
  return resolvers
}

function parseNameservers(text: string): string[] {
  const names = listOf(text).map((name) => name.toLowerCase().replace(/\.$/, ''))
  const bad = names.find((name) => !isHostname(name) || !name.includes('.'))
  if (bad !== undefined) throw new Error(`must be full hostnames, not "${bad}"`)
  return names
}

function parseAddresses(text: string): string[] {
  const addresses = listOf(text)
  const bad = addresses.find((address) => isIP(address) === 0)
  if (bad !== undefined) throw new Error(`must be addresses, not "${bad}"`)
  return addresses
}

/** `ip` or `ip@port`, as Knot writes them. */
function parseSecondaries(text: string): { address: string; port: number }[] {
  return listOf(text).map((part) => {
    const [address = '', portText = '53', ...more] = part.split('@')
    if (isIP(address) === 0 || !isPort(portText) || more.length > 0)
      throw new Error(`must be addresses such as 192.0.2.53 or 192.0.2.53@5353, not "${part}"`)
    return { address, port: Number(portText) }
  })
}

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535
