import type { Described } from '@panel/contract/details'
import { asciiName, isLabel } from '../../record-types/domain-name.ts'
import { baseOf, isAtOrBelow } from '../domains/hostname.policy.ts'

/**
 * Full name of a record of the domain: of `@`, of a relative name, and of the name of a verification record, which is stored in full
 * and so ends with the domain's base.
 */
export function ownerOf(name: string, hostname: string): string {
  if (name === '@') return hostname
  return isAtOrBelow(name, baseOf(hostname)) ? name : `${name}.${hostname}`
}

/** A name as people write it, relative to the domain; or what is wrong with it. */
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
  // Stored, such a name would be read as the full one that it ends with.
  if (isAtOrBelow(name, hostname)) return { problem: { code: 'NAME_TWICE', values: { hostname } } }
  if (!isOwner(`${name}.${hostname}`)) return { problem: { code: 'NAME_FORM' } }
  if (name.split('.').length > maxLabels)
    return { problem: { code: 'NAME_LABELS', values: { count: maxLabels, hostname } } }
  return { name }
}

/** Whether a full name can own records: labels of letters, digits, underscores and inner hyphens; `*` as the first only. */
export function isOwner(owner: string): boolean {
  return owner.length <= 253 && baseOf(owner).split('.').every(isLabel)
}

/** What an IPv6 address takes with a label for each of its digits, as block lists have them. */
const maxLabels = 32
