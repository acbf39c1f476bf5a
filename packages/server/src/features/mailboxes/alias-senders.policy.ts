interface Facts {
  domainName: string
  mailboxes: readonly string[]
  /** An empty local part is the catch-all. */
  aliases: readonly { localPart: string; targets: readonly string[] }[]
  ownDomains: readonly string[]
}

/**
 * Who may send as an alias: mailboxes of the same account that it delivers to, directly or through other aliases of the
 * domain. Not mailboxes of other accounts, which never agreed to be a target, and not targets of further forwarding.
 */
export function sendersOf(
  alias: { targets: readonly string[] },
  { domainName, mailboxes, aliases, ownDomains }: Facts
): string[] {
  const there = new Set(mailboxes)
  const byLocalPart = new Map(aliases.map(({ localPart, targets }) => [localPart, targets]))
  const reached = new Set<string>()
  const senders = new Set<string>()
  const follow = (targets: readonly string[]) => {
    for (const target of targets) {
      const at = target.lastIndexOf('@')
      const [localPart, domain] = [target.slice(0, at).replace(/\+.*$/, ''), target.slice(at + 1)]
      const address = `${localPart}@${domain}`
      if (reached.has(address) || !ownDomains.includes(domain)) continue
      reached.add(address)
      // Addresses in the account's other domains are not resolved; those that are not mailboxes cannot log in anyway.
      if (domain !== domainName || there.has(localPart)) senders.add(address)
      else follow(byLocalPart.get(localPart) ?? [])
    }
  }
  follow(alias.targets)
  return [...senders]
}
