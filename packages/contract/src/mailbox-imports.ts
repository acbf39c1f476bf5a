import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp, wellFormed } from './common.ts'
import { words } from './details.ts'

export const mailboxImportStatuses = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const
export const MailboxImportStatus = z.enum(mailboxImportStatuses)
export type MailboxImportStatus = z.infer<typeof MailboxImportStatus>

export const mailboxImportSecurities = ['TLS', 'STARTTLS'] as const
export const ConnectionSecurity = z.enum(mailboxImportSecurities)
export type ConnectionSecurity = z.infer<typeof ConnectionSecurity>

const Security = ConnectionSecurity.meta({
  description: 'TLS from the first byte on, or STARTTLS. The certificate must be one of the host’s name.'
})

export const maxImportFolders = 200

const FolderPath = wellFormed(z.string().min(1).max(1_000)).regex(/^[^\u0000\r\n]*$/, words.FOLDER_NAME)

export const CreateMailboxImport = z.object({
  host: singleLine(253)
    .trim()
    .toLowerCase()
    .regex(
      /^(?:(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?|[0-9a-f:.]+)$/,
      words.HOST
    )
    .meta({ description: 'Of the server that has the mail now.', examples: ['imap.example.net'] }),
  port: z
    .int()
    .refine((port) => port === 143 || port === 993 || (port >= 1024 && port <= 65_535), {
      error: words.IMAP_PORT
    })
    .optional()
    .meta({ description: 'Without: 993 with TLS, 143 with STARTTLS.', examples: [993] }),
  security: Security.default('TLS'),
  username: singleLine(200)
    .min(1)
    .meta({ examples: ['ann@example.net'] }),
  password: wellFormed(z.string().min(1).max(1_024))
    .regex(/^[^\u0000\r\n]*$/, words.ONE_LINE)
    .meta({ description: 'Of that mailbox. Stored encrypted until the import ends, and never shown.' }),
  folders: z
    .array(FolderPath)
    .min(1)
    .max(maxImportFolders)
    .optional()
    .meta({
      description:
        'As the other server names them. Without, all but those that show messages of others (\\All, \\Flagged).',
      examples: [['INBOX', 'Sent']]
    })
})
export type CreateMailboxImport = z.infer<typeof CreateMailboxImport>

const progress = (what: string) =>
  z.object({
    done: z.int(),
    total: z
      .int()
      .nullable()
      .meta({ description: `Null until the other server has said how many ${what} there are.` })
  })

export const MailboxImport = z
  .object({
    id: Id,
    mailboxId: Id,
    status: MailboxImportStatus.meta({
      description:
        'One that is cut off is QUEUED again by itself. A new import from the same source continues where the last one ended.'
    }),
    host: z.string().meta({ examples: ['imap.example.net'] }),
    port: z.int().meta({ examples: [993] }),
    security: Security,
    username: z.string().meta({ examples: ['ann@example.net'] }),
    folders: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Those that were asked for; null: all.', examples: [['INBOX']] }),
    progress: z
      .object({ folders: progress('folders'), messages: progress('messages'), bytes: progress('bytes') })
      .meta({ description: 'Of this import; messages that an earlier one has brought do not count.' }),
    leftOut: z.array(z.object({ folder: z.string(), reason: z.string(), messages: z.int() })).meta({
      description: 'What was not taken, and why: whole folders, or a number of messages of one. The first hundred.'
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: 'Why it has failed, or waits for its next try, and what to do.',
        examples: [null]
      }),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    endedAt: Timestamp.nullable(),
    updatedAt: Timestamp
  })
  .meta({ id: 'MailboxImport' })
export type MailboxImport = z.infer<typeof MailboxImport>

export const MailboxImportQuery = z.object(pageQuery(20, 100))
export type MailboxImportQuery = z.infer<typeof MailboxImportQuery>

export const MailboxImportList = z
  .object({ imports: z.array(MailboxImport).meta({ description: 'The newest first.' }), pagination: Pagination })
  .meta({ id: 'MailboxImportList' })
export type MailboxImportList = z.infer<typeof MailboxImportList>
