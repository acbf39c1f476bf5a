import { domainToASCII, domainToUnicode } from 'node:url'
import type { Described } from '@panel/contract/details'
import { isHostname } from '../net/hostname.ts'
import { ValueProblem } from './record-type.ts'

export function isLabel(label: string): boolean {
  return /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)
}

/** Lower case, IDN labels as A-labels; undefined for characters that are not allowed in names. */
export function asciiName(text: string): string | undefined {
  if (text.length > 1000) return undefined
  const labels = text.split('.').map((label) => (/^[a-zA-Z0-9_*-]*$/.test(label) ? label.toLowerCase() : aLabel(label)))
  return labels.includes(undefined) ? undefined : labels.join('.')
}

/** Must convert back to the input: IDNA maps many characters to others, and the WHATWG function decodes `%`. */
function aLabel(label: string): string | undefined {
  if (!/^[a-zA-Z0-9_\-\u{80}-\u{10ffff}]*$/u.test(label)) return undefined
  const lower = Array.from(label, (character) => character.toLowerCase())
    .join('')
    .normalize('NFC')
  const ascii = domainToASCII(lower)
  return isLabel(ascii) && ascii.startsWith('xn--') && domainToUnicode(ascii) === lower ? ascii : undefined
}

/** The full target name; a single label is relative to the origin and `@` is the origin. */
export function targetName(value: string, origin: string, isAccepted: (label: string) => boolean): string {
  if (value === '@') return origin
  if (/^\[?[0-9a-f]*:[0-9a-f:.]*\]?\.?$/i.test(value)) throw new ValueProblem('ADDRESS_AS_TARGET')
  const written = asciiName(value)
  if (written === undefined) throw new ValueProblem('TARGET_FORM')
  const isAbsolute = written.endsWith('.')
  const full = isAbsolute ? written.slice(0, -1) : written
  const labels = full.split('.')
  // No TLD is numeric, so this is an IP address or part of one (RFC 1123 §2.1).
  if (labels.length > 1 && /^\d+$/.test(labels.at(-1)!)) throw new ValueProblem('ADDRESS_AS_TARGET')
  if (!labels.every(isAccepted)) throw new ValueProblem('TARGET_FORM')
  if (isAbsolute && labels.length === 1) throw new ValueProblem('TARGET_FORM')
  const name = labels.length === 1 ? `${full}.${origin}` : full
  if (name.length > 253) throw new ValueProblem('TARGET_TOO_LONG')
  return name
}

export const targetOrRoot = (value: string, origin: string, isAccepted: (label: string) => boolean): string =>
  value === '.' ? '.' : targetName(value, origin, isAccepted)

export const absoluteName = (name: string): string => (name === '.' ? name : `${name}.`)

/** Requires a hostname (RFC 1123) or a wildcard of one: BIND rejects A, AAAA and MX records at other names. */
export const hostOwnerProblem =
  (type: string) =>
  (owner: string): Described | undefined =>
    isHostname(owner.replace(/^\*\./, '')) ? undefined : { code: 'HOST_OWNER', values: { type } }
