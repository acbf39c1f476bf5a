/** A message of the panel itself, as plain text. */
export interface MailMessage {
  to: string
  subject: string
  text: string
}

/** Hands messages to a mail server. */
export interface Mailer {
  /** Whether a server to send through is configured; it may change at any time. */
  isConfigured(): boolean
  /** Resolves when the server has taken the message. */
  send(message: MailMessage): Promise<void>
}
