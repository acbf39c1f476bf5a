import type { Described } from '@panel/contract/details'
import { asciiName, isLabel } from '../../record-types/domain-name.ts'
import { baseOf, isAtOrBelow } from '../domains/hostname.policy.ts'

/** A verification record is stored under its full name, which ends with the domain's base. */
export function ownerOf(name: string, hostname: string): string {
  if (name === '@') return hostname
  return isAtOrBelow(name, baseOf(hostname)) ? name : `${name}.${hostname}`
}

export function relativeName(text: string, hostname: string): { name: string } | { problem: Described } {
  if (text === '@') return { name: '@' }
  const written = asciiName(text)
  if (written === undefined) return { problem: { code: 'NAME_FORM' } }
  const isAbsolute = written.endsWith('.')
  const full = isAbsolute ? written.slice(0, -1) : written
  if (full === hostname) return { name: '@' }
  if (hostname.startsWith('*.')) return { problem: { code: 'NAME_OF_WILDCARD', values: { hostname } } }
  if (isAbsolute && !isAtOrBelow(full, hostname)) return { problem: { code: 'NAME_OUTSIDE', values: { hostname } } }
  const name = isAtOrBelow(full, hostname) ? full.slice(0, -hostname.length - 1) : full
  // ownerOf would take such a name for a full one.
  if (isAtOrBelow(name, hostname)) return { problem: { code: 'NAME_TWICE', values: { hostname } } }
  if (!isOwner(`${name}.${hostname}`)) return { problem: { code: 'NAME_FORM' } }
  if (name.split('.').length > maxLabels)
    return { problem: { code: 'NAME_LABELS', values: { count: maxLabels, hostname } } }
  return { name }
}

/** Labels of letters, digits, underscores and inner hyphens; `*` only as the first label. */
export function isOwner(owner: string): boolean {
  return owner.length <= 253 && baseOf(owner).split('.').every(isLabel)
}

/** Enough for one label per IPv6 nibble, as in DNS blocklists. */
const maxLabels = 32
