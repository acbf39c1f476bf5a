import { type DnsRecordType, maxTxtCharacters } from '@panel/contract/dns-records'
import { baseOf, isHostname } from '../domains/hostname.policy.ts'
import { asciiName, isLabel } from './record-name.policy.ts'

export type NumberMember = 'priority' | 'weight' | 'port'

interface TypeRule {
  /** Numbers beside the value; each is required. */
  members: readonly NumberMember[]
  /** The normal form; throws ValueProblem. */
  normalize(value: string, hostname: string): string
  /** Whether the owner must be a host name (BIND's check-names). */
  isHostOwned?: true
}

/** What is wrong with a value. */
export class ValueProblem extends Error {}

export const typeRules: Readonly<Record<DnsRecordType, TypeRule>> = {
  A: { members: [], normalize: ipv4, isHostOwned: true },
  AAAA: { members: [], normalize: ipv6, isHostOwned: true },
  CNAME: { members: [], normalize: (value, hostname) => target(value, hostname, isLabel) },
  MX: { members: ['priority'], normalize: hostOrNone, isHostOwned: true },
  TXT: { members: [], normalize: plainText },
  NS: { members: [], normalize: (value, hostname) => target(value, hostname, isHostname) },
  SRV: { members: ['priority', 'weight', 'port'], normalize: hostOrNone },
  CAA: { members: [], normalize: caa }
}

function ipv4(value: string): string {
  const isAddress = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(value)
  if (!isAddress || value.split('.').some((byte) => Number(byte) > 255))
    throw new ValueProblem('must be an IPv4 address such as 192.0.2.1, without leading zeroes')
  return value
}

/** RFC 5952; resolvers and name servers print the same. */
function ipv6(value: string): string {
  const url = /^[0-9a-fA-F:.]{2,45}$/.test(value) && URL.canParse(`http://[${value}]`) && new URL(`http://[${value}]`)
  if (!url) throw new ValueProblem('must be an IPv6 address such as 2001:db8::1')
  const address = url.hostname.slice(1, -1)
  const embedded = /^(::(?:ffff:)?)([0-9a-f]+):([0-9a-f]+)$/.exec(address)
  if (!embedded) return address
  // RFC 5952 §5: IPv4 within IPv6 keeps its dots; the URL standard writes it in hexadecimal.
  const bytes = embedded.slice(2).flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255])
  return `${embedded[1]}${bytes.join('.')}`
}

/** RFC 7505 and RFC 2782: a dot says that there is no such service. */
function hostOrNone(value: string, hostname: string): string {
  return value === '.' ? '.' : target(value, hostname, isHostname)
}

function target(value: string, hostname: string, isAccepted: (label: string) => boolean): string {
  if (value === '@') return baseOf(hostname)
  if (/^\[?[0-9a-f]*:[0-9a-f:.]*\]?\.?$/i.test(value)) throw new ValueProblem(addressProblem)
  const written = asciiName(value)
  if (written === undefined) throw new ValueProblem(targetProblem)
  const isAbsolute = written.endsWith('.')
  const full = isAbsolute ? written.slice(0, -1) : written
  const labels = full.split('.')
  // No top-level domain is a number, so this is an address, whole or in part (RFC 1123 §2.1).
  if (labels.length > 1 && /^\d+$/.test(labels.at(-1)!)) throw new ValueProblem(addressProblem)
  if (!labels.every(isAccepted)) throw new ValueProblem(targetProblem)
  if (isAbsolute && labels.length === 1) throw new ValueProblem(targetProblem)
  const name = labels.length === 1 ? `${full}.${baseOf(hostname)}` : full
  if (name.length > 253) throw new ValueProblem('is too long for a host name: at most 253 characters')
  return name
}

/** Kept to the letter; the zone file's quoting is no business of whoever writes it. */
function plainText(value: string): string {
  if (/\p{Cc}/u.test(value)) throw new ValueProblem('must be a single line without control characters')
  if (!value.isWellFormed()) throw new ValueProblem('must be well-formed Unicode text')
  if (value.length > maxTxtCharacters && Array.from(value).length > maxTxtCharacters)
    throw new ValueProblem(`must have at most ${maxTxtCharacters} characters`)
  return value
}

/** RFC 8659 §4.1.1. */
function caa(value: string): string {
  const [, flags, tag, quoted, bare] =
    /^\s*(\d{1,3})\s+([a-zA-Z0-9]{1,15})\s+(?:"((?:[^"\\]|\\["\\])*)"|([^\s"\\]+))\s*$/.exec(value) ?? []
  const text = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare
  if (tag === undefined || text === undefined || Number(flags) > 255)
    throw new ValueProblem('must be flags, a tag and a quoted value, such as 0 issue "ca.example.net"')
  if (!/^[\x20-\x7e]{0,255}$/.test(text))
    throw new ValueProblem('must have a value of at most 255 printable ASCII characters')
  return `${Number(flags)} ${tag.toLowerCase()} "${text.replaceAll(/["\\]/g, '\\$&')}"`
}

const targetProblem =
  'must be a full host name such as mail.example.net, one label of a name in this domain, or @ for the domain itself'
const addressProblem = 'must be a host name, not an IP address: give the address an A or AAAA record and name that'
