import type { Config } from '../../config.ts'
import type { MailMessage } from '../../infra/mailer/mailer.ts'

/** Its address comes from the configuration alone. */
export function renderAlertMail(
  config: Pick<Config, 'API_BASE_URL' | 'PANEL_DOMAIN'>,
  recipient: { email: string; name: string },
  { hostname, message }: { hostname: string; message: string }
): MailMessage {
  const panel = config.PANEL_DOMAIN ? `https://${config.PANEL_DOMAIN}` : config.API_BASE_URL
  const text = [
    `Hello ${recipient.name},`,
    message,
    `See to it at ${panel}; there will be no other mail about this until it has worked again.`
  ]
  return { to: recipient.email, subject: `The certificate of ${hostname} needs you`, text: `${text.join('\n\n')}\n` }
}
