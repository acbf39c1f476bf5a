/** A message of the panel itself, as plain text. */
export interface MailMessage {
  to: string
  subject: string
  text: string
}

/** Hands messages to a mail server. */
export interface Mailer {
  /** Resolves when the server has taken the message. */
  send(message: MailMessage): Promise<void>
}
