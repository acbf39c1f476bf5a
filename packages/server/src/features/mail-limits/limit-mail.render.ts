import type { Config } from '../../config.ts'
import type { MailMessage } from '../../infra/mailer/mailer.ts'

/** What the owner of a domain is told when one of its mailboxes has sent more than it may. */
export const renderLimitMail = (
  config: Pick<Config, 'API_BASE_URL'>,
  owner: { name: string; email: string },
  address: string
): MailMessage => ({
  to: owner.email,
  subject: `${address} sends more mail than it may`,
  text: `Hello ${owner.name},

the mailbox ${address} has tried to send to more recipients within an hour than is allowed. What goes beyond that is refused for now, and a mail program tries again by itself.

If this was not you, somebody else knows its password: change it now, at ${config.API_BASE_URL}.
`
})

/** What the owner is told when the filter has held mail that one of the mailboxes was to send. */
export const renderHeldMail = (
  config: Pick<Config, 'API_BASE_URL'>,
  owner: { name: string; email: string },
  address: string
): MailMessage => ({
  to: owner.email,
  subject: `Mail of ${address} is held as spam`,
  text: `Hello ${owner.name},

mail that the mailbox ${address} was to send looks like spam. It was not sent: it is held in the queue until the administrator of this server releases or deletes it.

If this was not you, somebody else knows its password: change it now, at ${config.API_BASE_URL}. If it was, write to the administrator of this server.
`
})
