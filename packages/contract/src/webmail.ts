import { z } from 'zod'

export const WebmailActivity = z
  .object({
    logins: z
      .array(z.object({ mailboxId: z.string(), mailbox: z.string(), lastLogin: z.iso.datetime() }))
      .meta({ description: 'Mailboxes with a webmail sign-in, the latest first.' }),
    error: z.string().optional().meta({ description: 'Why nothing can be said.' }),
    code: z.literal('SQLITE_QUERY_ERROR').optional()
  })
  .meta({ id: 'WebmailActivity' })
export type WebmailActivity = z.infer<typeof WebmailActivity>

export const WebmailLink = z
  .object({
    url: z.url().meta({ description: 'Opens the webmail with the address filled in; the password is asked for there.' })
  })
  .meta({ id: 'WebmailLink' })
export type WebmailLink = z.infer<typeof WebmailLink>
