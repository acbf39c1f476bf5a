import type { MailMessage } from '../../infra/mailer/mailer.ts'
import { languageOf, textsIn } from '../../text/language.ts'
import { oneLine } from '../../text/one-line.ts'
import type { ChannelMessage } from './message.render.ts'
import { messageTexts } from './message.texts.ts'

/** Plain text. Line breaks are removed from the subject, because names are user-controlled. */
export function renderNotificationMail(
  { title, text, url }: ChannelMessage,
  recipient: { name: string; email: string; locale: string | null }
): MailMessage {
  const t = textsIn(messageTexts, languageOf(recipient.locale))
  const paragraphs = [t('mail.hello', { name: oneLine(recipient.name, 200) }), text, url ?? '', t('mail.end')]
  return { to: recipient.email, subject: oneLine(title, 200), text: `${paragraphs.join('\n\n')}\n` }
}
