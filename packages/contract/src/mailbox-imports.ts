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
  description: 'TLS from the first byte, or STARTTLS. The certificate must match the hostname.'
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
    .meta({ description: 'The server that hosts the mail now.', examples: ['imap.example.net'] }),
  port: z
    .int()
    .refine((port) => port === 143 || port === 993 || (port >= 1024 && port <= 65_535), {
      error: words.IMAP_PORT
    })
    .optional()
    .meta({ description: 'Default: 993 with TLS, 143 with STARTTLS.', examples: [993] }),
  security: Security.default('TLS'),
  username: singleLine(200)
    .min(1)
    .meta({ examples: ['ann@example.net'] }),
  password: wellFormed(z.string().min(1).max(1_024))
    .regex(/^[^\u0000\r\n]*$/, words.ONE_LINE)
    .meta({ description: 'Password of that mailbox. Stored encrypted until the import ends, and never returned.' }),
  folders: z
    .array(FolderPath)
    .min(1)
    .max(maxImportFolders)
    .optional()
    .meta({
      description:
        'Folder names as the other server lists them. Default: all folders except views of other folders (\\All, \\Flagged).',
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
      .meta({ description: `Null until the other server reports the number of ${what}.` })
  })

export const MailboxImport = z
  .object({
    id: Id,
    mailboxId: Id,
    status: MailboxImportStatus.meta({
      description:
        'An interrupted import returns to QUEUED automatically. A new import from the same mailbox continues where the previous one ended, ' +
        'whatever its status.'
    }),
    host: z.string().meta({ examples: ['imap.example.net'] }),
    port: z.int().meta({ examples: [993] }),
    security: Security,
    username: z.string().meta({ examples: ['ann@example.net'] }),
    folders: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The requested folders; null: all.', examples: [['INBOX']] }),
    progress: z
      .object({ folders: progress('folders'), messages: progress('messages'), bytes: progress('bytes') })
      .meta({ description: 'Progress of this import; messages that an earlier import copied do not count.' }),
    leftOut: z.array(z.object({ folder: z.string(), reason: z.string(), messages: z.int() })).meta({
      description: 'What was skipped, and why: whole folders, or a number of messages in one. The first 100.'
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: 'Why it failed or waits for a retry, and what to do.',
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
  .object({ imports: z.array(MailboxImport).meta({ description: 'Newest first.' }), pagination: Pagination })
  .meta({ id: 'MailboxImportList' })
export type MailboxImportList = z.infer<typeof MailboxImportList>
