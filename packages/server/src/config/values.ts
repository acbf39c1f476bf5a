import { isIP } from 'node:net'
import { z } from 'zod'
import { isHostname } from '../net/hostname.ts'
import { formatSubnet, parseSubnet } from '../net/ipv4-subnet.ts'

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
export const hostname = z.string().toLowerCase().refine(isHostname, { error: 'must be a hostname' })
export const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
/** An interval in seconds. */
export const interval = z.coerce.number().min(0.1).max(3600)

/** A number or `unlimited`, which is null. */
export const quota = z
  .union([z.literal('unlimited').transform(() => null), whole(0, 1_000_000)], {
    error: 'must be a number or unlimited'
  })
  .optional()
/** `name@host` or `Name <name@host>`. */
export const mailFrom = z
  .string()
  .max(254)
  .regex(/^(?:[^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, 'must be an address, or Name <address>')

/** A text that `parse` accepts; the error message of `parse` describes the problem. */
export const parsedBy = <T>(parse: (text: string) => T) =>
  z.string().transform((text, context) => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      return z.NEVER
    }
  })

/** Addresses and networks in CIDR form, or one of `names`. Throws with a sentence that says what is wrong. */
export function parseNetworks(text: string, names: readonly string[] = []): string[] {
  const networks = listOf(text)
  const bad = networks.find((network) => !names.includes(network) && !isNetwork(network))
  if (bad !== undefined) throw new Error(`must be addresses such as 10.0.0.1 or 10.0.0.0/8, not "${bad}"`)
  return networks
}

/** IPv4 networks in CIDR notation, with a prefix of at most `longestPrefix`. Throws like parseNetworks. */
export function parseIpv4Networks(text: string, longestPrefix: number): string[] {
  const networks = listOf(text)
  const isFit = (network: string) => {
    const subnet = parseSubnet(network)
    return subnet !== undefined && formatSubnet(subnet) === network && subnet.prefix <= longestPrefix
  }
  const bad = networks.find((network) => !isFit(network))
  if (bad === undefined) return networks
  throw new Error(`must be networks such as 10.64.0.0/16, none smaller than a /${longestPrefix}, not "${bad}"`)
}

/** One of them. Throws like parseIpv4Networks. */
export function parseIpv4Network(text: string, longestPrefix: number): string {
  const [network, ...others] = parseIpv4Networks(text, longestPrefix)
  if (network !== undefined && others.length === 0) return network
  throw new Error('must be one network such as 10.64.0.0/24')
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  return family !== 0 && fits && more.length === 0
}

export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
