import type { ServedAlias, ServedMailDomain } from '../../infra/mail-server/mail-server.ts'
import { sendersOf } from './alias-senders.policy.ts'
import { renderAutoreply } from './autoreply.render.ts'
import { missingRoleAddresses } from './role-addresses.policy.ts'

interface StoredMailbox {
  localPart: string
  passwordHash: string
  quotaMb: number
  isEnabled: boolean
  autoreplySubject: string | null
  autoreplyText: string | null
  autoreplyFrom: Date | null
  autoreplyUntil: Date | null
}

interface StoredDomain {
  domain: { name: string }
  owner: { email: string; isSuspended: boolean; mailDomains: readonly string[] }
  mailboxes: readonly StoredMailbox[]
  aliases: readonly { localPart: string; targets: readonly string[] }[]
}

/** The domain as the mail servers receive it; undefined without addresses, since its mail may be hosted elsewhere. */
export function servedDomain({ domain, owner, mailboxes, aliases }: StoredDomain): ServedMailDomain | undefined {
  if (mailboxes.length === 0 && aliases.length === 0) return undefined
  const { name } = domain
  const roles = missingRoleAddresses({
    domainName: name,
    ownerEmail: owner.email,
    mailboxes: mailboxes.map(({ localPart }) => localPart),
    aliases: aliases.map(({ localPart }) => localPart)
  })
  const all = [...aliases, ...roles]
  const facts = {
    domainName: name,
    mailboxes: mailboxes.map(({ localPart }) => localPart),
    aliases: all,
    ownDomains: owner.mailDomains
  }
  const served: ServedAlias[] = all.map((alias) => ({
    localPart: alias.localPart === '' ? undefined : alias.localPart,
    targets: alias.targets,
    senders: sendersOf(alias, facts)
  }))
  return {
    name,
    isSuspended: owner.isSuspended,
    aliases: served,
    mailboxes: mailboxes.map((mailbox) => ({
      localPart: mailbox.localPart,
      passwordHash: mailbox.passwordHash,
      quotaMb: mailbox.quotaMb,
      mayLogIn: mailbox.isEnabled,
      sieve: sieveOf(mailbox, name, served)
    }))
  }
}

// Bounds the script of a mailbox with hundreds of aliases; further aliases get no autoreply.
const maxAddresses = 100

function sieveOf(mailbox: StoredMailbox, name: string, aliases: readonly ServedAlias[]): string | undefined {
  if (mailbox.autoreplyText === null) return undefined
  const own = `${mailbox.localPart}@${name}`
  const leading = aliases.filter(({ localPart, targets }) => localPart !== undefined && targets.includes(own))
  return renderAutoreply({
    subject: mailbox.autoreplySubject,
    text: mailbox.autoreplyText,
    from: mailbox.autoreplyFrom,
    until: mailbox.autoreplyUntil,
    addresses: [own, ...leading.map(({ localPart }) => `${localPart}@${name}`)].slice(0, maxAddresses)
  })
}
