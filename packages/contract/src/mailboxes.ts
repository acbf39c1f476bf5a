import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp, wellFormed } from './common.ts'
import { words } from './details.ts'
import { Password } from './users.ts'

/** KiB: the mail server takes a hash that needs more for a wrong password. */
const maxHashMemory = 262_144
/** KiB times passes: whoever logs in waits for the log-ins before, so that nobody's may take long. Four times what passwords here take. */
const maxHashWork = 262_144

/** Argon2id in PHC form, version 1.3: 8 to 64 bytes of salt and 16 to 64 of hash in Base64 without padding. */
const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/

/** What is wrong with text that begins like a hash; undefined where it is one that the mail server takes. */
export function passwordHashProblem(text: string): string | undefined {
  const [, m, t, p] = phc.exec(text)?.map(Number) ?? []
  if (m === undefined || t === undefined || p === undefined)
    return 'begins like an Argon2id hash and is none: $argon2id$v=19$m=…,t=…,p=…$salt$hash'
  if (t < 1 || p < 1 || p > 16 || m < 8 * p) return 'is a hash with parameters that Argon2id does not have'
  if (m > maxHashMemory) return `is a hash that needs more than ${maxHashMemory} KiB of memory (m)`
  if (m * t > maxHashWork) return `is a hash that takes too long: m times t may be ${maxHashWork}`
  return undefined
}

/** Whether it is taken as it is, in place of a password. */
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
      '8 to 128 characters; or an Argon2id hash in PHC form, which is taken as it is: at most 262,144 KiB of memory (m), and m times t at most 262,144.'
  })

/**
 * What stands before the @ of an address here: a dot-string of RFC 5321 §4.1.2 without the signs that mean something to a shell, a path or
 * the mail servers; `+` begins a detail, which belongs to no mailbox of its own.
 */
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
  description: 'What stands before the @; kept in lower case.'
})

/** MiB. */
export const MailboxQuota = z.int().min(1).max(1_048_576).meta({ description: 'MiB that the mailbox may hold.' })

export const Mailbox = z
  .object({
    id: Id,
    domainId: Id.nullable().meta({ description: 'Null of a deleted one whose domain is gone.' }),
    address: z.string(),
    localPart: z.string(),
    quota: z.int().meta({ description: 'MiB that the mailbox may hold.', examples: [1024] }),
    enabled: z.boolean().meta({ description: 'If false, sign-in and sending are blocked; mail is still received.' }),
    usage: z
      .object({ bytes: z.int(), messages: z.int() })
      .nullable()
      .meta({ description: 'What it holds; null while the mail server does not say.' }),
    autoreply: z.boolean().meta({ description: 'Whether there is an out-of-office reply, now or later.' }),
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
  search: singleLine(100).optional()
})
export type MailboxQuery = z.infer<typeof MailboxQuery>

export const MailboxList = z.object({ mailboxes: z.array(Mailbox), pagination: Pagination }).meta({ id: 'MailboxList' })
export type MailboxList = z.infer<typeof MailboxList>

/** A mailbox whose mail is kept for a while. */
export const DeletedMailbox = z
  .object({
    id: Id,
    address: z.string(),
    quota: z.int(),
    deletedAt: Timestamp,
    purgeAt: Timestamp.meta({
      description: 'When its mail goes; until then it can be restored.',
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

/** Lines of text; other control characters have no place in mail. */
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
        description: 'Null: `Auto:` and the subject of the message that is answered.',
        examples: ['Away until Monday']
      }),
    text: replyText.meta({ examples: ['I am away, and read this on Monday.'] }),
    from: replyTime.meta({ description: 'Nothing is answered before; null: at once.' }),
    until: replyTime.meta({
      description: 'Nothing is answered from then on; null: until it is removed.',
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
    address: z.string().meta({ description: '`*@<domain>` of a catch-all.' }),
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
  .meta({ description: 'Whole addresses, here or anywhere.' })

export const CreateMailAlias = z.object({
  domainId: Id,
  localPart: localPart(/^(?:\*|[a-z0-9_](?:[a-z0-9_-]|\.(?!\.|$))*)$/).meta({
    description: 'What stands before the @, or `*` for every address that is not there otherwise.'
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
    service: z.string().meta({ description: 'What takes and sends mail (SMTP).' }),
    status: MailServiceStatus.meta({ description: 'degraded: something of it does not answer.' }),
    port25Open: z.boolean(),
    port465Open: z.boolean(),
    port587Open: z.boolean(),
    tlsEnforced: z.boolean().meta({ description: 'Whether no password is taken without TLS.' }),
    lastChecked: Timestamp,
    imap: z.object({
      service: z
        .string()
        .meta({ description: 'What keeps mailboxes and hands them out (IMAP).', examples: ['dovecot'] }),
      status: MailServiceStatus,
      port143Open: z.boolean(),
      port993Open: z.boolean(),
      tlsEnforced: z.boolean(),
      saslAuthConnected: z.boolean().meta({ description: 'Whether the SMTP server can have passwords checked.' }),
      activeMailboxesCount: z.int().meta({ description: 'Your mailboxes that are enabled; of an ADMIN, all.' }),
      lastChecked: Timestamp
    }),
    spamFilter: z.object({
      service: z.string().meta({ description: 'What looks whether mail is spam.', examples: ['rspamd'] }),
      status: SpamFilterStatus.meta({
        description: 'stopped: mail goes on unfiltered. off: the panel has none (MAIL_SPAM_FILTER).'
      }),
      lastChecked: Timestamp
    })
  })
  .meta({ id: 'MailStatus' })
export type MailStatus = z.infer<typeof MailStatus>

export const MailSyncResult = z
  .object({
    success: z.boolean(),
    syncedCount: z.int().meta({ description: 'Domains that the mail servers have as the panel does now.' }),
    domains: z.array(z.string()).meta({ description: 'Their names.', examples: [['example.com']] }),
    mailboxesSynced: z.int()
  })
  .meta({ id: 'MailSyncResult' })
export type MailSyncResult = z.infer<typeof MailSyncResult>
