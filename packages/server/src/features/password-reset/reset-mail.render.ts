import type { Config } from '../../config.ts'
import type { MailMessage } from '../../infra/mailer/mailer.ts'
import { panelUrl } from '../../net/panel-url.ts'

/** The token is in the fragment, which browsers do not send, so that logs and referrers do not contain it. */
export function renderResetMail(
  config: Pick<Config, 'API_BASE_URL' | 'PANEL_DOMAIN'>,
  recipient: { email: string; name: string },
  token: string,
  lifetimeMinutes: number
): MailMessage {
  const panel = panelUrl(config)
  const text = [
    `Hello ${recipient.name},`,
    `a password reset was requested for your account at ${panel}.`,
    `Choose a new password here within ${lifetimeMinutes} minutes:`,
    `${panel}/reset-password#token=${token}`,
    'The link works once. If you did not request it, ignore this message: your password stays unchanged.'
  ]
  return { to: recipient.email, subject: 'Reset your password', text: `${text.join('\n\n')}\n` }
}

/** Contains no text from the account's creator, so that it cannot be used to send spam. */
export function renderInvitation(
  config: Pick<Config, 'API_BASE_URL' | 'PANEL_DOMAIN'>,
  recipient: { email: string },
  token: string,
  lifetimeDays: number
): MailMessage {
  const panel = panelUrl(config)
  const text = [
    'Hello,',
    `an account with your email address was created at ${panel}.`,
    `Choose a password for it here within ${lifetimeDays} days:`,
    `${panel}/reset-password#token=${token}`,
    'The link works once. After that time you can request a new one on the sign-in page. If you do not expect an account, ignore this message.'
  ]
  return { to: recipient.email, subject: 'Your new account', text: `${text.join('\n\n')}\n` }
}
