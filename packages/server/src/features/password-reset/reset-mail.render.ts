import type { Config } from '../../config.ts'
import type { MailMessage } from '../../infra/mailer/mailer.ts'

/**
 * The message with the link. Its address comes from the configuration alone, never from a request. The token is in the fragment, which
 * browsers send to nobody: no log and no referrer holds it.
 */
export function renderResetMail(
  config: Pick<Config, 'API_BASE_URL' | 'PANEL_DOMAIN'>,
  recipient: { email: string; name: string },
  token: string,
  lifetimeMinutes: number
): MailMessage {
  const panel = config.PANEL_DOMAIN ? `https://${config.PANEL_DOMAIN}` : config.API_BASE_URL
  const text = [
    `Hello ${recipient.name},`,
    `somebody, hopefully you, asked to reset the password of your account at ${panel}.`,
    `Choose a new one here, within ${lifetimeMinutes} minutes:`,
    `${panel}/reset-password#token=${token}`,
    'The link works once. If it was not you, do nothing: your password stays as it is.'
  ]
  return { to: recipient.email, subject: 'Reset your password', text: `${text.join('\n\n')}\n` }
}
