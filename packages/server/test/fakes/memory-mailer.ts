import { AdapterError } from '../../src/infra/adapter-error.ts'
import type { Mailer, MailMessage } from '../../src/infra/mailer/mailer.ts'

interface MemoryMailer extends Mailer {
  /** What it was given, oldest first. */
  readonly sent: MailMessage[]
  /** While true, it takes nothing. */
  isRefusing: boolean
}

/** Keeps what it is given. */
export function createMemoryMailer(): MemoryMailer {
  const mailer: MemoryMailer = {
    sent: [],
    isRefusing: false,
    isConfigured: () => true,
    async send(message) {
      if (mailer.isRefusing)
        throw new AdapterError('mail-server-unavailable', 'The mail server did not take the message')
      mailer.sent.push(message)
    }
  }
  return mailer
}
