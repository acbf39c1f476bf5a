import { AdapterError } from '../adapter-error.ts'
import { messageOf } from '../../text/message-of.ts'
import type { Mailer } from './mailer.ts'

const timeoutMs = 15_000

/** SMTP client for `url`: `smtp://` uses STARTTLS if offered, `smtps://` implicit TLS. */
export function createSmtpMailer({ url, from }: { url: string; from: string | (() => string) }): Mailer {
  const openTransport = lazy(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true
    })
  })
  return {
    isConfigured: () => url() !== undefined,
    async send({ to, subject, text }) {
      try {
        // An object: a string would be parsed as a list of addresses.
        const transport = await openTransport()
        await transport.sendMail({
          from: from(),
          to: { name: '', address: to },
          subject,
          text
        })
      } catch (cause) {
        throw new AdapterError('mail-server-unavailable', 'The mail server did not accept the message', {
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
