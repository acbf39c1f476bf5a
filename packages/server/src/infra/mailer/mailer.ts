/** Plain-text message sent by the panel. */
export interface MailMessage {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Resolves once the mail server has accepted the message. */
  send(message: MailMessage): Promise<void>
}
