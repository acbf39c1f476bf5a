import type { Config } from '../../config.ts'
import type { MailMessage } from '../../infra/mailer/mailer.ts'
import { panelUrl } from '../../net/panel-url.ts'
import { languageOf, textsIn } from '../../text/language.ts'
import { resetMailTexts } from './reset-mail.texts.ts'

interface Recipient {
  email: string
  name: string
  locale: string | null
}
type PanelConfig = Pick<Config, 'API_BASE_URL' | 'PANEL_DOMAIN'>

export const renderResetMail = (
  config: PanelConfig,
  recipient: Recipient,
  token: string,
  minutes: number
): MailMessage => renderLinkMail('reset', config, recipient, token, { name: recipient.name, minutes })

/** Contains no text from the account's creator, so that it cannot be used to send spam. */
export const renderInvitation = (
  config: PanelConfig,
  recipient: Omit<Recipient, 'name'>,
  token: string,
  days: number
): MailMessage => renderLinkMail('invitation', config, recipient, token, { days })

/** The token is in the fragment, which browsers do not send, so that logs and referrers do not contain it. */
function renderLinkMail(
  mail: 'reset' | 'invitation',
  config: PanelConfig,
  { email, locale }: Omit<Recipient, 'name'>,
  token: string,
  values: Readonly<Record<string, string | number>>
): MailMessage {
  const t = textsIn(resetMailTexts, languageOf(locale))
  const panel = panelUrl(config)
  const text = [
    t(`${mail}.hello`, values),
    t(`${mail}.reason`, { panel }),
    t(`${mail}.action`, values),
    `${panel}/reset-password#token=${token}`,
    t(`${mail}.end`)
  ]
  return { to: email, subject: t(`${mail}.subject`), text: `${text.join('\n\n')}\n` }
}
