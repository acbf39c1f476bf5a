import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp, wellFormed, listOrder } from './common.ts'
import { words } from './details.ts'
import { Password } from './users.ts'

/** KiB: with a more expensive hash, the mail server reports a wrong password. */
const maxHashMemory = 262_144
/** Logins are processed one by one, so none may take long. */
const maxHashWork = 262_144

/** Argon2id in PHC form, version 1.3: 8 to 64 bytes of salt and 16 to 64 of hash in Base64 without padding. */
const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/

/** Checks text that starts like a hash; undefined if the mail server accepts it. */
export function passwordHashProblem(text: string): string | undefined {
  const [, m, t, p] = phc.exec(text)?.map(Number) ?? []
  if (m === undefined || t === undefined || p === undefined)
    return 'starts like an Argon2id hash but is not one: $argon2id$v=19$m=…,t=…,p=…$salt$hash'
  if (t < 1 || p < 1 || p > 16 || m < 8 * p) return 'is a hash with parameters that Argon2id does not allow'
  if (m > maxHashMemory) return `is a hash that needs more than ${maxHashMemory} KiB of memory (m)`
  if (m * t > maxHashWork) return `is a hash that takes too long: m times t may be ${maxHashWork}`
  return undefined
}

/** Whether the text is stored as a hash instead of being hashed as a password. */
export const isPasswordHash = (text: string): boolean => text.startsWith('$argon2id$')

export const MailboxPassword = z
  .string()
  .max(300)
  .superRefine((text, context) => {
    const fail = (message: string) => context.addIssue({ code: 'custom', message })
    if (!isPasswordHash(text)) {
      const { error } = Password.safeParse(text)
      if (error) fail(error.issues[0]!.message)
      return
    }
    const problem = passwordHashProblem(text)
    if (problem !== undefined) fail(problem)
  })
  .meta({
    description:
      '8 to 128 characters; or an Argon2id hash in PHC format, which is stored as is: up to 262,144 KiB of memory (m), and m times t up ' +
      'to 262,144.'
  })

/** RFC 5321 §4.1.2 without characters that are special in a shell, a path or the mail servers. */
const localPart = (form: RegExp) =>
  z
    .string()
    .max(64)
    .toLowerCase()
    .regex(form, words.LOCAL_PART)
    .refine((text) => !['mailer-daemon', 'double-bounce'].includes(text), {
      error: words.MAIL_SERVER_NAME
    })

export const LocalPart = localPart(/^[a-z0-9_](?:[a-z0-9_-]|\.(?!\.|$))*$/).meta({
  description: 'The part before the @; stored in lower case.'
})

export const MailboxQuota = z.int().min(1).max(1_048_576).meta({ description: 'Size limit in MiB.' })

export const Mailbox = z
  .object({
    id: Id,
    domainId: Id.nullable().meta({ description: 'Null for a deleted mailbox whose domain was deleted.' }),
    address: z.string(),
    localPart: z.string(),
    quota: z.int().meta({ description: 'Size limit in MiB.', examples: [1024] }),
    enabled: z.boolean().meta({ description: 'If false, the mailbox cannot log in or send; it still receives mail.' }),
    usage: z
      .object({ bytes: z.int(), messages: z.int() })
      .nullable()
      .meta({ description: 'Current contents; null if the mail server does not report them.' }),
    autoreply: z.boolean().meta({ description: 'Whether an autoreply is set, now or for later.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'Mailbox' })
export type Mailbox = z.infer<typeof Mailbox>

export const CreateMailbox = z.object({
  domainId: Id,
  localPart: LocalPart,
  password: MailboxPassword,
  quota: MailboxQuota.default(1024)
})
export type CreateMailbox = z.infer<typeof CreateMailbox>

export const UpdateMailbox = z
  .object({ password: MailboxPassword, quota: MailboxQuota, enabled: z.boolean() })
  .partial()
  .refine((input) => Object.values(input).some((value) => value !== undefined), {
    error: 'must have password, quota or enabled'
  })
export type UpdateMailbox = z.infer<typeof UpdateMailbox>

export const MailboxQuery = z.object({
  ...pageQuery(20, 100),
  domainId: Id.optional(),
  search: singleLine(100).optional(),
  order: listOrder('name')
})
export type MailboxQuery = z.infer<typeof MailboxQuery>

export const MailboxList = z.object({ mailboxes: z.array(Mailbox), pagination: Pagination }).meta({ id: 'MailboxList' })
export type MailboxList = z.infer<typeof MailboxList>

export const DeletedMailbox = z
  .object({
    id: Id,
    address: z.string(),
    quota: z.int(),
    deletedAt: Timestamp,
    purgeAt: Timestamp.meta({
      description: 'When its mail is deleted; until then it can be restored.',
      examples: ['2026-02-14T12:00:00.000Z']
    })
  })
  .meta({ id: 'DeletedMailbox' })
export type DeletedMailbox = z.infer<typeof DeletedMailbox>

export const DeletedMailboxQuery = z.object(pageQuery(20, 100))
export type DeletedMailboxQuery = z.infer<typeof DeletedMailboxQuery>

export const DeletedMailboxList = z
  .object({ mailboxes: z.array(DeletedMailbox), pagination: Pagination })
  .meta({ id: 'DeletedMailboxList' })

const replyTime = z.iso.datetime({ offset: true }).nullable().default(null)

/** Line breaks and tabs only; other control characters are not allowed in mail. */
const replyText = wellFormed(z.string().trim().min(1).max(10_000)).regex(
  /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/,
  words.PLAIN_TEXT
)

export const SetAutoreply = z
  .object({
    subject: singleLine(200)
      .trim()
      .min(1)
      .nullable()
      .default(null)
      .meta({
        description: 'Null: `Auto:` and the subject of the message being answered.',
        examples: ['Away until Monday']
      }),
    text: replyText.meta({ examples: ['I am away, and read this on Monday.'] }),
    from: replyTime.meta({ description: 'Start of the autoreply; null: immediately.' }),
    until: replyTime.meta({
      description: 'End of the autoreply; null: until removed.',
      examples: ['2026-02-14T12:00:00Z']
    })
  })
  .refine(({ from, until }) => from === null || until === null || Date.parse(from) < Date.parse(until), {
    path: ['until'],
    error: words.AFTER_FROM
  })
export type SetAutoreply = z.infer<typeof SetAutoreply>

export const Autoreply = z
  .object({
    subject: z
      .string()
      .nullable()
      .meta({ examples: ['Away until Monday'] }),
    text: z.string().meta({ examples: ['I am away, and read this on Monday.'] }),
    from: Timestamp.nullable(),
    until: Timestamp.nullable().meta({ examples: ['2026-02-14T12:00:00.000Z'] })
  })
  .meta({ id: 'Autoreply' })
export type Autoreply = z.infer<typeof Autoreply>

export const maxAliasTargets = 50

export const MailAlias = z
  .object({
    id: Id,
    domainId: Id,
    address: z.string().meta({ description: '`*@<domain>` for a catch-all.' }),
    localPart: z.string(),
    targets: z.array(z.string()),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'MailAlias' })
export type MailAlias = z.infer<typeof MailAlias>

const AliasTargets = z
  .array(singleLine(320))
  .min(1)
  .max(maxAliasTargets)
  .meta({ description: 'Full addresses, on this server or anywhere else.' })

export const CreateMailAlias = z.object({
  domainId: Id,
  localPart: localPart(/^(?:\*|[a-z0-9_](?:[a-z0-9_-]|\.(?!\.|$))*)$/).meta({
    description: 'The part before the @, or `*` for a catch-all.'
  }),
  targets: AliasTargets
})
export type CreateMailAlias = z.infer<typeof CreateMailAlias>

export const UpdateMailAlias = z.object({ targets: AliasTargets })
export type UpdateMailAlias = z.infer<typeof UpdateMailAlias>

export const MailAliasQuery = MailboxQuery
export const MailAliasList = z
  .object({ aliases: z.array(MailAlias), pagination: Pagination })
  .meta({ id: 'MailAliasList' })
export type MailAliasList = z.infer<typeof MailAliasList>

export const MailServiceStatus = z.enum(['running', 'degraded', 'stopped'])
export type MailServiceStatus = z.infer<typeof MailServiceStatus>
export const SpamFilterStatus = z.enum(['running', 'stopped', 'off'])
export type SpamFilterStatus = z.infer<typeof SpamFilterStatus>

export const MailStatus = z
  .object({
    service: z.string().meta({ description: 'The SMTP server.' }),
    status: MailServiceStatus.meta({ description: 'degraded: one of its ports or services is not responding.' }),
    port25Open: z.boolean(),
    port465Open: z.boolean(),
    port587Open: z.boolean(),
    tlsEnforced: z.boolean().meta({ description: 'Whether passwords are accepted only over TLS.' }),
    lastChecked: Timestamp,
    imap: z.object({
      service: z.string().meta({ description: 'The IMAP server.', examples: ['dovecot'] }),
      status: MailServiceStatus,
      port143Open: z.boolean(),
      port993Open: z.boolean(),
      tlsEnforced: z.boolean(),
      saslAuthConnected: z
        .boolean()
        .meta({ description: 'Whether the SMTP server can reach the IMAP server to check passwords.' }),
      activeMailboxesCount: z.int().meta({ description: 'Your enabled mailboxes; for an ADMIN, all.' }),
      lastChecked: Timestamp
    }),
    spamFilter: z.object({
      service: z.string().meta({ description: 'The spam filter.', examples: ['rspamd'] }),
      status: SpamFilterStatus.meta({
        description: 'stopped: mail is delivered unfiltered. off: the panel has no spam filter (MAIL_SPAM_FILTER).'
      }),
      lastChecked: Timestamp
    })
  })
  .meta({ id: 'MailStatus' })
export type MailStatus = z.infer<typeof MailStatus>

export const MailSyncResult = z
  .object({
    success: z.boolean(),
    syncedCount: z.int().meta({ description: 'Domains that are up to date on the mail servers.' }),
    domains: z.array(z.string()).meta({ description: 'Their names.', examples: [['example.com']] }),
    mailboxesSynced: z.int()
  })
  .meta({ id: 'MailSyncResult' })
export type MailSyncResult = z.infer<typeof MailSyncResult>
