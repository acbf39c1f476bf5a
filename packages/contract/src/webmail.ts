import { z } from 'zod'

export const WebmailActivity = z
  .object({
    logins: z
      .array(z.object({ mailboxId: z.string(), mailbox: z.string(), lastLogin: z.iso.datetime() }))
      .meta({ description: 'Mailboxes that were logged in to with webmail, latest first.' }),
    error: z.string().optional().meta({ description: 'Why the logins could not be read.' }),
    code: z.literal('SQLITE_QUERY_ERROR').optional()
  })
  .meta({ id: 'WebmailActivity' })
export type WebmailActivity = z.infer<typeof WebmailActivity>

export const WebmailLink = z
  .object({
    url: z.url().meta({ description: 'Opens webmail with the address filled in; it asks for the password.' })
  })
  .meta({ id: 'WebmailLink' })
export type WebmailLink = z.infer<typeof WebmailLink>
