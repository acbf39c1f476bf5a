/** Where the mail servers listen. */
export interface MailPorts {
  smtp: number
  submission: number
  submissions: number
  imap: number
  imaps: number
  managesieve: number
  /** On loopback alone, as those below: Postfix asks Dovecot for passwords there. */
  auth: number
  /** Postfix asks Dovecot whether a mailbox has room. */
  quota: number
  lmtp: number
  /** Dovecot asks the panel whether somebody may try a password. */
  policy: number
  /** Postfix hands itself what it forwards to other servers. */
  forward: number
  /** Postfix asks postsrsd for the SRS address of a sender. */
  srs: number
  /** Postfix asks postsrsd for the sender behind an SRS address. */
  srsReverse: number
}
