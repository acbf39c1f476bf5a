import { AdapterError } from '../../src/infra/adapter-error.ts'
import type { Mailer, MailMessage } from '../../src/infra/mailer/mailer.ts'

interface MemoryMailer extends Mailer {
  readonly sent: MailMessage[]
  isRefusing: boolean
}

export function createMemoryMailer(): MemoryMailer {
  const mailer: MemoryMailer = {
    sent: [],
    isRefusing: false,
    isConfigured: () => true,
    async send(message) {
      if (mailer.isRefusing)
        throw new AdapterError('mail-server-unavailable', 'The mail server did not accept the message')
      mailer.sent.push(message)
    }
  }
  return mailer
}
