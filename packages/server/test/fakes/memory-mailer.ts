import type { Mailer, MailMessage } from '../../src/infra/mailer/mailer.ts'

/** Keeps what it is given, for tests. */
export function createMemoryMailer(): Mailer & { sent: MailMessage[] } {
  const sent: MailMessage[] = []
  return {
    sent,
    async send(message) {
      sent.push(message)
    }
  }
}
