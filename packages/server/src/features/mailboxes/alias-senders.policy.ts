interface Facts {
  domainName: string
  /** Of its mailboxes. */
  mailboxes: readonly string[]
  /** Of the domain; an empty local part is the catch-all. */
  aliases: readonly { localPart: string; targets: readonly string[] }[]
  /** The account's domains that have mail, this one among them. */
  ownDomains: readonly string[]
}

/**
 * Who may send as an alias: the mailboxes of its account that it leads to, directly or by other aliases of the domain. Nobody of another account,
 * as an address is led there without being asked; nor who a mailbox on the way sends its mail on to.
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
      // Which addresses of another one are mailboxes is not known here; nobody logs in by the others.
      if (domain !== domainName || there.has(localPart)) senders.add(address)
      else follow(byLocalPart.get(localPart) ?? [])
    }
  }
  follow(alias.targets)
  return [...senders]
}
