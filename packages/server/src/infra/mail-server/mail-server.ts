import type { Duplex, Readable } from 'node:stream'

/** A mailbox as the servers know it. */
export interface ServedMailbox {
  /** In lower case; with the domain it is the log-in. */
  localPart: string
  /** Argon2id in PHC form (`$argon2id$v=19$…`), at most 262,144 KiB of memory: Dovecot takes a larger one for a wrong password. */
  passwordHash: string
  /** Megabytes (MiB), 1 or more: 0 would be no limit. */
  quotaMb: number
  /** False: no log-in and no sending; mail to it still comes in. */
  mayLogIn: boolean
  /** The Sieve script of its owner's settings, already checked for its grammar by its renderer; undefined where there is none. */
  sieve: string | undefined
}

/** Where mail to an address goes besides its mailbox. */
export interface ServedAlias {
  /** Undefined is the catch-all of the domain. */
  localPart: string | undefined
  /** Whole addresses. */
  targets: readonly string[]
  /** Log-ins that may send as it; nobody without any. A mailbox's own address is its own log-in's alone. */
  senders?: readonly string[]
}

export interface ServedMailDomain {
  /** In lower case, A-labels (RFC 5890). */
  name: string
  /** Its account is suspended: nobody logs in, and mail to it is deferred by whoever sends it (450), never bounced. */
  isSuspended: boolean
  mailboxes: readonly ServedMailbox[]
  aliases: readonly ServedAlias[]
}

/** Bytes that a mailbox holds, and messages. */
export interface MailboxUsage {
  bytes: number
  messages: number
}

/** One that the panel itself sends. */
export interface PanelMessage {
  /** A mailbox, for which it is signed; empty of an answer that nobody shall answer. */
  sender: string
  recipient: string
  message: string
}

/** What answers at the ports of this machine. */
export interface MailServerProbe {
  smtp: {
    port25Open: boolean
    port465Open: boolean
    port587Open: boolean
    /** 587 takes no log-in before STARTTLS. */
    tlsEnforced: boolean
  }
  imap: {
    port143Open: boolean
    port993Open: boolean
    /** 993 speaks nothing but TLS, and 143 takes no log-in before STARTTLS. */
    tlsEnforced: boolean
    /** The listener at which Postfix asks for passwords (MAIL_AUTH_PORT) answers. */
    saslAuthConnected: boolean
  }
}

/**
 * The servers that take, keep and hand out mail (Dovecot and Postfix), as one: what an address is must be the same to both. Methods reject
 * with AdapterError mail-server-unavailable where a program does not answer within its time limit. Those that write files work without it.
 */
export interface MailServer {
  /** Whether the server of IMAP, that of SMTP, or the sender rewriter of forwarded mail answers. Rejects where it does not. */
  ping(server: 'imap' | 'smtp' | 'rewriter'): Promise<void>
  /** Replaces all that the servers know of the domain, and of no other. Nobody's session ends by it, but those of who may not log in any more. */
  putDomain(domain: ServedMailDomain): Promise<void>
  /** The servers know the domain no more. Its mail stays on the disk. */
  removeDomain(name: string): Promise<void>
  /** Those that the servers know. */
  listDomains(): Promise<readonly string[]>
  /** Ends the sessions of these addresses. */
  endSessions(addresses: readonly string[]): Promise<void>
  /** Those that have no mail yet are left out. */
  readUsage(addresses: readonly string[]): Promise<ReadonlyMap<string, MailboxUsage>>
  /** Never rejects: what does not answer within seconds is not open. */
  probe(): Promise<MailServerProbe>
  /** Puts a message into the queue; resolves with its id there. Nothing keeps its sender from being somebody else's: that is the caller's to know. */
  submit(message: PanelMessage): Promise<string>
  /**
   * Puts the mail of a deleted mailbox aside under a name of its own, so that another one of the address begins empty. Repeatable: once it
   * has been done for a name, also where there was no mail, doing it again moves nothing, until it was put back.
   */
  setAside(address: string, keptAs: string): Promise<void>
  /** The other way round; false where nothing is kept under the name. Rejects where the address has mail. */
  putBack(keptAs: string, address: string): Promise<boolean>
  /** Bytes of what was put aside, by its name; those without any are left out. */
  readKept(names: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Removes mail that was put aside. Repeatable. */
  purge(keptAs: string): Promise<void>
  /**
   * The mailbox as a tar with its Maildir as `Maildir/`, packed as it is read; empty where it has no mail yet. Messages that come meanwhile may
   * be missing.
   */
  exportMaildir(address: string): Promise<Readable>
  /** The same of mail that was put aside. */
  exportKept(keptAs: string): Promise<Readable>
  /** A session of IMAP with the mailbox, signed in as its owner, whatever its password is; it ends when the stream is destroyed. */
  openMailbox(address: string): Promise<Duplex>
}
