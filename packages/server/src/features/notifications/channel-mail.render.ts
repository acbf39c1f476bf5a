import type { MailMessage } from '../../infra/mailer/mailer.ts'
import { oneLine } from '../../text/one-line.ts'
import type { ChannelMessage } from './message.render.ts'

/** Plain text. Line breaks are removed from the subject, because names are user-controlled. */
export const renderNotificationMail = (
  { title, text, url }: ChannelMessage,
  recipient: { name: string; email: string }
): MailMessage => ({
  to: recipient.email,
  subject: oneLine(title, 200),
  text: `Hello ${oneLine(recipient.name, 200)},\n\n${text}\n\n${url ?? ''}\n\nYou can change which notifications you receive in the panel, under Notifications.\n`
})
