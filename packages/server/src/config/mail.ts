import { z } from 'zod'
import { ownDomain } from './panel.ts'
import { mailFrom } from './values.ts'

/** The panel's own mail. */
export const mailVariables = {
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: mailFrom.optional()
}

export const mailDefaults = (values: { MAIL_FROM?: string | undefined } & Parameters<typeof ownDomain>[0]) => ({
  MAIL_FROM: values.MAIL_FROM ?? `no-reply@${ownDomain(values)}`
})
