import { isIP } from 'node:net'
import { z } from 'zod'
import { isHostname } from './features/domains/hostname.policy.ts'

const exampleSecrets = /change.?me|example|secret.?key|your.?secret|password|^(.)\1*$/i

export const secret = z
  .string()
  .min(32, 'must have 32 or more characters')
  .refine((value) => !exampleSecrets.test(value), { error: 'is an example value; make one with: openssl rand -hex 32' })

/** `128m`, `1g`, `65536`: bytes with an optional binary suffix. */
export const bytes = z
  .string()
  .regex(/^[1-9]\d{0,11}(b|k|m|g)?$/i, 'must be a size such as 128m or 1g')
  .transform(
    (text) =>
      parseInt(text, 10) *
      { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }[(/[bkmg]$/i.exec(text)?.[0] ?? 'b').toLowerCase()]!
  )

export const port = z.coerce.number().int().min(1).max(65535)
export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
export const hostname = z.string().toLowerCase().refine(isHostname, { error: 'must be a host name' })
export const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
/** Seconds between rounds of work that comes again and again. */
export const interval = z.coerce.number().min(0.1).max(3600)

export const quota = whole(0, 1_000_000).optional()
/** `name@host` or `Name <name@host>`. */
export const mailFrom = z
  .string()
  .max(254)
  .regex(/^(?:[^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, 'must be an address, or Name <address>')
export const parsedBy = <T>(parse: (text: string) => T) =>
  z.string().transform((text, context) => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      return z.NEVER
    }
  })

/** Addresses, networks in CIDR form, and the names that Fastify knows. Throws with a sentence that says what is wrong. */
export function parseProxies(text: string): string[] {
  const proxies = listOf(text)
  const bad = proxies.find((proxy) => !isProxy(proxy))
  if (bad !== undefined) throw new Error(`must be addresses such as 10.0.0.1 or 10.0.0.0/8, not "${bad}"`)
  return proxies
}

function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  return family !== 0 && fits && more.length === 0
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** `ip`, `ip:port`, `[ip6]:port`: comma-separated. Throws with a sentence that says what is wrong. */
export function parseResolvers(text: string): string[] {
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

export function parseNameservers(text: string): string[] {
  const names = listOf(text).map((name) => name.toLowerCase().replace(/\.$/, ''))
  const bad = names.find((name) => !isHostname(name) || !name.includes('.'))
  if (bad !== undefined) throw new Error(`must be full host names, not "${bad}"`)
  return names
}

export function parseAddresses(text: string): string[] {
  const addresses = listOf(text)
  const bad = addresses.find((address) => isIP(address) === 0)
  if (bad !== undefined) throw new Error(`must be addresses, not "${bad}"`)
  return addresses
}

/** `ip` or `ip@port`, as Knot writes them. */
export function parseSecondaries(text: string): { address: string; port: number }[] {
  return listOf(text).map((part) => {
    const [address = '', portText = '53', ...more] = part.split('@')
    if (isIP(address) === 0 || !isPort(portText) || more.length > 0)
      throw new Error(`must be addresses such as 192.0.2.53 or 192.0.2.53@5353, not "${part}"`)
    return { address, port: Number(portText) }
  })
}

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535
