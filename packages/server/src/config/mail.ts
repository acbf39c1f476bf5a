import { z } from 'zod'
import { ownDomain } from './panel.ts'
import { bytes, mailFrom, port, whole } from './values.ts'

export const mailVariables = {
  // The panel's own mail.
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: mailFrom.optional(),
  // The mail servers. Off until the panel also makes the records and keys without which others take little of what they send.
  MAIL: z.stringbool({ truthy: ['on', 'true', '1'], falsy: ['off', 'false', '0'] }).default(false),
  SMTP_PORT: port.default(25),
  SUBMISSION_PORT: port.default(587),
  SUBMISSIONS_PORT: port.default(465),
  IMAP_PORT: port.default(143),
  IMAPS_PORT: port.default(993),
  MANAGESIEVE_PORT: port.default(4190),
  /** On loopback alone. */
  MAIL_AUTH_PORT: port.default(12345),
  MAIL_QUOTA_PORT: port.default(12346),
  LMTP_PORT: port.default(24),
  MAIL_POLICY_PORT: port.default(12347),
  MAIL_MESSAGE_LIMIT: z
    .string()
    .pipe(bytes)
    .default(50 * 2 ** 20),
  /** Recipients that may be written to in an hour. */
  MAIL_HOURLY_MAILBOX: whole(1, 1_000_000).default(300),
  MAIL_HOURLY_DOMAIN: whole(1, 1_000_000).default(1_000),
  MAIL_HOURLY_ACCOUNT: whole(1, 1_000_000).default(2_000),
  /** Days for which the mail of a deleted mailbox is kept. */
  MAILBOX_KEEP_DAYS: whole(0, 365).default(14)
}

export const mailDefaults = (values: { MAIL_FROM?: string | undefined } & Parameters<typeof ownDomain>[0]) => ({
  MAIL_FROM: values.MAIL_FROM ?? `no-reply@${ownDomain(values)}`
})
