import { AdapterError } from '../adapter-error.ts'
import { messageOf } from '../../text/message-of.ts'
import type { Mailer } from './mailer.ts'

const timeoutMs = 15_000

interface SmtpMailerOptions {
  /** `smtp://` upgrades by STARTTLS where it is offered, `smtps://` is TLS from the start. Undefined where there is no server. */
  url: () => string | undefined
  from: () => string
}

/** Sends through an SMTP server, as it is configured when a message is sent. */
export function createSmtpMailer({ url, from }: SmtpMailerOptions): Mailer {
  return {
    isConfigured: () => url() !== undefined,
    async send({ to, subject, text }) {
      try {
        // As an object: a text is parsed as a list of addresses.
        const transport = await openTransport(url())
        await transport.sendMail({
          from: from(),
          to: { name: '', address: to },
          subject,
          text
        })
      } catch (cause) {
        throw new AdapterError('mail-server-unavailable', 'The mail server did not take the message', {
          cause,
          reason: messageOf(cause)
        })
      }
    }
  }
}

async function openTransport(url: string | undefined) {
  if (url === undefined) throw new Error('No SMTP server is configured')
  // Loaded with the first message.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true
  })
}
