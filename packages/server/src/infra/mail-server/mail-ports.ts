export interface MailPorts {
  smtp: number
  submission: number
  submissions: number
  imap: number
  imaps: number
  managesieve: number
  /** Loopback only, as all below. Postfix → Dovecot: password checks. */
  auth: number
  /** Postfix → Dovecot: mailbox quota. */
  quota: number
  lmtp: number
  /** Dovecot → panel: login policy. */
  policy: number
  /** Postfix → Postfix: forwarded mail to other servers. */
  forward: number
  /** Postfix → postsrsd: SRS address of a sender. */
  srs: number
  /** Postfix → postsrsd: original sender of an SRS address. */
  srsReverse: number
}
