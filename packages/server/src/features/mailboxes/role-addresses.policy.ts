import { parseMailAddress } from './mail-address.policy.ts'

/** Where people and programs write to who runs a domain (RFC 5321 §4.5.1, RFC 2142); reports on DMARC go to the first, too. */
export const roleAddresses = ['postmaster', 'abuse'] as const

interface Facts {
  domainName: string
  /** E-mail address of the account, in whatever case. */
  ownerEmail: string
  /** Of its mailboxes, oldest first. */
  mailboxes: readonly string[]
  /** Of its aliases; empty is the catch-all. */
  aliases: readonly string[]
}

/**
 * The role addresses that the domain has no mailbox and no alias for, and where their mail goes: to the owner, whatever the catch-all says.
 * An address of the owner that is itself one of the domain and not there leads to its oldest mailbox.
 */
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

/** Outside the domain, or one of its addresses; a detail (`+…`) belongs to the address before it. */
function isReached(address: string, domainName: string, there: ReadonlySet<string>): boolean {
  if (!address.endsWith(`@${domainName}`)) return true
  const localPart = address.slice(0, -domainName.length - 1).replace(/\+.*$/, '')
  const isRole = (roleAddresses as readonly string[]).includes(localPart)
  return there.has(localPart) || (there.has('') && !isRole)
}
