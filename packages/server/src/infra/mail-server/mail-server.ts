import type { Duplex, Readable } from 'node:stream'

export interface ServedMailbox {
  /** Lower case; the login is the full address. */
  localPart: string
  /** Argon2id, PHC format, at most 262,144 KiB of memory: Dovecot rejects correct passwords above that. */
  passwordHash: string
  /** MiB, at least 1: 0 would mean unlimited. */
  quotaMb: number
  /** False: no login and no sending; mail is still delivered. */
  mayLogIn: boolean
  sieve: string | undefined
}

/** Delivers mail to targets, in addition to a mailbox with the same address. */
export interface ServedAlias {
  /** Undefined: the catch-all. */
  localPart: string | undefined
  targets: readonly string[]
  /** Mailboxes that may send as the alias. The address of a mailbox is reserved for that mailbox. */
  senders?: readonly string[]
}

export interface ServedMailDomain {
  /** Lower case, A-labels (RFC 5890). */
  name: string
  /** The account is suspended: no logins, and incoming mail is deferred (450), never bounced. */
  isSuspended: boolean
  mailboxes: readonly ServedMailbox[]
  aliases: readonly ServedAlias[]
}

export interface MailboxUsage {
  bytes: number
  messages: number
}

export interface PanelMessage {
  /** A mailbox, whose DKIM key signs the message; empty for automatic replies. */
  sender: string
  recipient: string
  message: string
}

export interface MailServerProbe {
  smtp: {
    port25Open: boolean
    port465Open: boolean
    port587Open: boolean
    /** Port 587 offers no login before STARTTLS. */
    tlsEnforced: boolean
  }
  imap: {
    port143Open: boolean
    port993Open: boolean
    /** Port 993 accepts only TLS, and 143 offers no login before STARTTLS. */
    tlsEnforced: boolean
    /** Dovecot's auth listener (MAIL_AUTH_PORT) responds. */
    saslAuthConnected: boolean
  }
}

/**
 * Dovecot and Postfix as one unit, because both must agree on every address. Methods reject with AdapterError
 * mail-server-unavailable on a failure or timeout. Those that only write files work while the servers are down.
 */
export interface MailServer {
  /** Rejects if Dovecot, Postfix or postsrsd is not responding. */
  ping(server: 'imap' | 'smtp' | 'rewriter'): Promise<void>
  /** Replaces the domain's configuration. Ends only sessions of mailboxes that may no longer log in. */
  putDomain(domain: ServedMailDomain): Promise<void>
  /** Removes the domain's configuration. Its mail stays on disk. */
  removeDomain(name: string): Promise<void>
  listDomains(): Promise<readonly string[]>
  endSessions(addresses: readonly string[]): Promise<void>
  /** Omits mailboxes without mail. */
  readUsage(addresses: readonly string[]): Promise<ReadonlyMap<string, MailboxUsage>>
  /** Never rejects: a port that does not respond within seconds counts as closed. */
  probe(): Promise<MailServerProbe>
  /** Queues a message; resolves with its queue id. Does not check that the caller may use the sender address. */
  submit(message: PanelMessage): Promise<string>
  /** Archives the mail of a deleted mailbox, so that a new one starts empty. Idempotent, even without mail. */
  setAside(address: string, keptAs: string): Promise<void>
  /** Reverses `setAside`; false if nothing is archived under the name. Rejects if the address has mail. */
  putBack(keptAs: string, address: string): Promise<boolean>
  /** Archives a restored mailbox directory, which is on the file system of the mail. Replaces what has the name. */
  keepRestored(directory: string, keptAs: string): Promise<void>
  /** Bytes of archived mail, by name; missing ones are omitted. */
  readKept(names: readonly string[]): Promise<ReadonlyMap<string, number>>
  purge(keptAs: string): Promise<void>
  /** Tar stream with the mailbox as `Maildir/`; empty without mail. Messages that arrive meanwhile may be missing. */
  exportMaildir(address: string): Promise<Readable>
  exportKept(keptAs: string): Promise<Readable>
  /** An IMAP session authenticated as the mailbox; destroying the stream ends it. */
  openMailbox(address: string): Promise<Duplex>
}
