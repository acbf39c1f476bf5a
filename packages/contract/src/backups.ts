import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp, wellFormed } from './common.ts'
import { DatabaseType } from './databases.ts'
import { words } from './details.ts'
import { VolumeName } from './volumes.ts'

export const backupTargetKinds = ['FOLDER', 'SFTP', 'S3', 'REST'] as const
export const BackupTargetKind = z.enum(backupTargetKinds)
export type BackupTargetKind = z.infer<typeof BackupTargetKind>

const name = singleLine(60).trim().min(1)
const secret = wellFormed(z.string().min(1).max(1_024)).regex(/^[^\u0000\r\n]*$/, words.ONE_LINE)
const absolutePath = singleLine(500).regex(/^\/[^\u0000]+$/, words.ABSOLUTE_PATH)
const host = singleLine(253)
  .trim()
  .toLowerCase()
  .regex(/^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|[0-9a-f:.]+)$/, words.HOST)
const port = z.int().min(1).max(65_535)
const webAddress = singleLine(500).regex(/^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/, words.WEB_ADDRESS)
const caCertificate = z
  .string()
  .max(64 * 1024)
  .regex(/^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s-]+$/, words.PEM_CERTIFICATE)
  .optional()
  .meta({
    description:
      'Certificate (PEM) of the authority that signed the certificate of the server, if it is not a public one.'
  })

export const CreateBackupTarget = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('FOLDER'),
    name,
    path: absolutePath.meta({
      description: 'A directory of this server, for example on a mounted disk. It is created if its parent exists.',
      examples: ['/mnt/backup/panel']
    })
  }),
  z.object({
    kind: z.literal('SFTP'),
    name,
    host,
    port: port.default(22),
    username: singleLine(64).regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/, words.IDENTIFIER),
    path: absolutePath,
    privateKey: z
      .string()
      .max(16 * 1024)
      .regex(/^-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\s-]+$/, words.PRIVATE_KEY)
      .meta({ description: 'Private SSH key without a passphrase. Stored encrypted, and never returned.' }),
    hostKey: singleLine(2_000)
      .regex(/^[a-z0-9@.-]+ [A-Za-z0-9+/=]+$/, words.HOST_KEY)
      .meta({
        description: 'Public host key of the server as `ssh-keyscan` prints it, without the hostname.',
        examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqEiIO7PpWzN1Z0Qm3Xk0nPpoyVXrgcqQ2vpi3AWdYH']
      })
  }),
  z.object({
    kind: z.literal('S3'),
    name,
    endpoint: webAddress.meta({ examples: ['https://s3.eu-central-1.amazonaws.com'] }),
    bucket: singleLine(63).regex(/^[a-z0-9][a-z0-9.-]+$/, words.IDENTIFIER),
    prefix: singleLine(200)
      .regex(/^[A-Za-z0-9._/-]*$/, words.IDENTIFIER)
      .default(''),
    accessKeyId: secret,
    secretAccessKey: secret,
    caCertificate
  }),
  z.object({
    kind: z.literal('REST'),
    name,
    url: webAddress.meta({ description: 'A restic REST server.', examples: ['https://backup.example.net:8000/panel'] }),
    username: secret.optional(),
    password: secret.optional(),
    caCertificate
  })
])
export type CreateBackupTarget = z.infer<typeof CreateBackupTarget>

export const BackupTarget = z
  .object({
    id: Id,
    name: z.string().meta({ examples: ['Storage box'] }),
    kind: BackupTargetKind,
    location: z
      .string()
      .meta({ description: 'Where it stores, without secrets.', examples: ['sftp://backup@backup.example.net/panel'] }),
    isKeyConfirmed: z.boolean().meta({ description: 'Backups start only after the key was confirmed.' }),
    holdsPanel: z.boolean().meta({
      description: 'Whether the panel itself is backed up there, with all of its keys: on targets that an ADMIN added.'
    }),
    lastGoodAt: Timestamp.nullable().meta({ description: 'End of the latest backup that was read back.' }),
    lastCheckedAt: Timestamp.nullable().meta({ description: 'Latest successful check of the whole repository.' }),
    problem: z.string().nullable().meta({ description: 'Why the latest backup or check on this target failed.' }),
    createdAt: Timestamp
  })
  .meta({ id: 'BackupTarget' })
export type BackupTarget = z.infer<typeof BackupTarget>

export const NewBackupTarget = BackupTarget.extend({
  key: z.string().meta({
    description:
      'Encrypts every backup on this target. Shown once: keep it outside of this server, because the backups cannot be read without it.'
  })
}).meta({ id: 'NewBackupTarget' })
export type NewBackupTarget = z.infer<typeof NewBackupTarget>

export const BackupTargetList = z.object({ targets: z.array(BackupTarget) })

export const ConfirmBackupKey = z.object({
  key: singleLine(200).meta({ description: 'The key, as a proof that you have kept it.' })
})

export const backupStatuses = ['QUEUED', 'RUNNING', 'GOOD', 'FAILED'] as const
export const BackupStatus = z.enum(backupStatuses)
export type BackupStatus = z.infer<typeof BackupStatus>

export const backupSubjects = ['PROJECT', 'PANEL'] as const
export const BackupSubject = z.enum(backupSubjects)
export type BackupSubject = z.infer<typeof BackupSubject>

export const backupTriggers = ['MANUAL', 'SCHEDULE'] as const
export const BackupTrigger = z.enum(backupTriggers)
export type BackupTrigger = z.infer<typeof BackupTrigger>

export const BackedUpDatabase = z.object({
  id: Id,
  name: z.string(),
  type: DatabaseType,
  tables: z.int(),
  rows: z.int().optional().meta({ description: 'Missing in backups of earlier versions.' }),
  bytes: z.int()
})
export type BackedUpDatabase = z.infer<typeof BackedUpDatabase>

export const Backup = z
  .object({
    id: Id,
    subject: BackupSubject.meta({
      description:
        'PANEL: accounts, settings and keys of the panel, its name server, mail and the databases without a project. It is restored with `./panel restore`.'
    }),
    projectId: Id.nullable().meta({ description: 'Null for a backup of the panel.' }),
    projectName: z.string().nullable(),
    targetId: Id,
    targetName: z.string().meta({ examples: ['Storage box'] }),
    status: BackupStatus.meta({
      description:
        'GOOD only after the backup was read back from its target: every file is listed with its size, and the database dumps are complete and have ' +
        'the checksums of the dumps that were made.'
    }),
    trigger: BackupTrigger,
    progress: z.object({ bytesDone: z.int(), bytesTotal: z.int() }),
    files: z.int().nullable(),
    bytes: z.int().nullable().meta({ description: 'Size of everything in the backup.' }),
    bytesAdded: z.int().nullable().meta({ description: 'What this backup added to the target.' }),
    databases: z.array(BackedUpDatabase),
    excluded: z.array(z.string()).meta({
      description: 'Patterns of files that it leaves out. A restore of all files does not have them.',
      examples: [['node_modules']]
    }),
    volumes: z.array(z.string()).meta({
      description: 'Names of the volumes that it contains.',
      examples: [['uploads']]
    }),
    problem: z.string().nullable(),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    endedAt: Timestamp.nullable()
  })
  .meta({ id: 'Backup' })
export type Backup = z.infer<typeof Backup>

export const BackupQuery = z.object({ ...pageQuery(20, 100) })
export type BackupQuery = z.infer<typeof BackupQuery>

export const BackupList = z.object({ backups: z.array(Backup), pagination: Pagination })

export const StartBackup = z.object({
  targetId: Id.optional().meta({ description: 'Default: every target.' })
})
export type StartBackup = z.infer<typeof StartBackup>

export const StartServerBackup = StartBackup.extend({
  subject: BackupSubject.optional().meta({ description: 'Default: the panel and every project.' })
})
export type StartServerBackup = z.infer<typeof StartServerBackup>

export const StartedBackups = z.object({ queued: z.int().meta({ description: 'Backups that were queued.' }) })

const relativePath = wellFormed(z.string().max(2_000)).refine(
  (path) =>
    !path.includes('\0') && !path.startsWith('/') && !path.split('/').some((part) => part === '..' || part === '.'),
  { error: words.RELATIVE_PATH }
)

const volume = VolumeName.optional()

export const BackupFilesQuery = z.object({
  path: relativePath.default(''),
  volume: volume.meta({ description: 'One of the `volumes` of the backup. Default: the files of the project.' })
})
export type BackupFilesQuery = z.infer<typeof BackupFilesQuery>

export const BackupEntryType = z.enum(['FILE', 'DIRECTORY', 'LINK', 'OTHER'])

export const BackupFiles = z.object({
  entries: z.array(
    z.object({
      name: z.string(),
      type: BackupEntryType,
      size: z.int(),
      modifiedAt: Timestamp
    })
  ),
  isTruncated: z.boolean().meta({ description: 'Whether the directory has more entries than are listed.' })
})
export type BackupFiles = z.infer<typeof BackupFiles>

export const restoreKinds = ['FILES', 'DATABASE', 'MAILBOX'] as const
export const RestoreKind = z.enum(restoreKinds)

export const StartRestore = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('FILES'),
    path: relativePath
      .default('')
      .meta({ description: 'A file or directory of the backup. Default: all files of the project or the volume.' }),
    volume: volume.meta({
      description:
        'One of the `volumes` of the backup: restores into the volume of the project that has this name. Default: the files of the project.'
    })
  }),
  z.object({
    kind: z.literal('DATABASE'),
    databaseId: Id.meta({
      description: 'One of the `databases` of the backup. It is loaded into a new database beside the current one.'
    })
  })
])
export type StartRestore = z.infer<typeof StartRestore>

export const restoreStatuses = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'UNDONE'] as const
export const RestoreStatus = z.enum(restoreStatuses)
export type RestoreStatus = z.infer<typeof RestoreStatus>

export const Restore = z
  .object({
    id: Id,
    backupId: Id,
    projectId: Id.nullable().meta({ description: 'Null for a mailbox.' }),
    mailboxId: Id.nullable(),
    kind: RestoreKind,
    path: z.string().nullable(),
    volume: z.string().nullable().meta({ description: 'Null: the files of the project.' }),
    status: RestoreStatus,
    databaseName: z
      .string()
      .nullable()
      .meta({
        examples: ['shop_restored_vespy4k2'],
        description: 'Name of the new database with the restored content.'
      }),
    undoUntil: Timestamp.nullable().meta({
      description: 'Until then the files or the mail from before the restore are kept and can be put back.'
    }),
    problem: z.string().nullable(),
    createdAt: Timestamp,
    endedAt: Timestamp.nullable()
  })
  .meta({ id: 'Restore' })
export type Restore = z.infer<typeof Restore>

export const RestoreList = z.object({ restores: z.array(Restore) })

export const MailboxBackupList = z.object({
  backups: z.array(
    z
      .object({ id: Id, targetName: z.string().meta({ examples: ['Storage box'] }), startedAt: Timestamp })
      .meta({ id: 'MailboxBackup' })
  )
})
export type MailboxBackupList = z.infer<typeof MailboxBackupList>
