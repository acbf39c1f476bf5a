import { parseMailAddress } from './mail-address.policy.ts'

/** RFC 5321 §4.5.1, RFC 2142. DMARC and TLS reports go to postmaster. */
export const roleAddresses = ['postmaster', 'abuse'] as const

interface Facts {
  domainName: string
  ownerEmail: string
  /** Local parts, oldest first. */
  mailboxes: readonly string[]
  /** Local parts; empty is the catch-all. */
  aliases: readonly string[]
}

/** Role addresses forward to the owner even with a catch-all; to the oldest mailbox if that address is missing. */
export function missingRoleAddresses(facts: Facts): { localPart: string; targets: string[] }[] {
  const there = new Set([...facts.mailboxes, ...facts.aliases])
  const target = ownerAddress(facts, there)
  if (target === undefined) return []
  return roleAddresses.filter((role) => !there.has(role)).map((localPart) => ({ localPart, targets: [target] }))
}

function ownerAddress({ domainName, ownerEmail, mailboxes }: Facts, there: ReadonlySet<string>): string | undefined {
  const owner = parseMailAddress(ownerEmail)
  if ('address' in owner && isReached(owner.address, domainName, there)) return owner.address
  return mailboxes[0] === undefined ? undefined : `${mailboxes[0]}@${domainName}`
}

function isReached(address: string, domainName: string, there: ReadonlySet<string>): boolean {
  if (!address.endsWith(`@${domainName}`)) return true
  const localPart = address.slice(0, -domainName.length - 1).replace(/\+.*$/, '')
  const isRole = (roleAddresses as readonly string[]).includes(localPart)
  return there.has(localPart) || (there.has('') && !isRole)
}
