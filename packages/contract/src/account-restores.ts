import { z } from 'zod'
import { RestoreStatus } from './backups.ts'
import { Id, singleLine, Timestamp } from './common.ts'

export const accountRestoreStatuses = [
  'PLANNING',
  'PLANNED',
  'STARTING',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'UNDONE'
] as const
export const AccountRestoreStatus = z.enum(accountRestoreStatuses)
export type AccountRestoreStatus = z.infer<typeof AccountRestoreStatus>

export const accountItemKinds = [
  'ACCOUNT',
  'PROJECT',
  'VARIABLES',
  'VARIABLE_GROUP',
  'DATABASE',
  'DOMAIN',
  'MAILBOX',
  'SFTP'
] as const
export const AccountItemKind = z.enum(accountItemKinds)
export type AccountItemKind = z.infer<typeof AccountItemKind>

export const accountItemChanges = ['RETURNS', 'EXCHANGED', 'BESIDE', 'STAYS', 'REFUSED', 'SKIPPED'] as const
export const AccountItemChange = z.enum(accountItemChanges)
export type AccountItemChange = z.infer<typeof AccountItemChange>

export const accountItemReasons = [
  'NAME_TAKEN',
  'ADDED_AGAIN',
  'BEING_REMOVED',
  'NOT_IN_BACKUP',
  'NO_BACKUP',
  'NEEDS_SKIPPED'
] as const
export const AccountItemReason = z.enum(accountItemReasons)
export type AccountItemReason = z.infer<typeof AccountItemReason>

export const AccountRestoreItem = z
  .object({
    key: z.string().meta({ description: 'Names the item in `skip`.', examples: ['DOMAIN:01k5p9v2c3d4e5f6g7h8j9kmnp'] }),
    kind: AccountItemKind,
    name: z.string().meta({ examples: ['shop.example.com'] }),
    change: AccountItemChange.meta({
      description:
        'RETURNS: it was deleted and comes back as it was. EXCHANGED: it exists; its files or mail are replaced by those of the backup, and what is there now is kept for undoing. ' +
        'BESIDE: the database exists; the one of the backup is restored into a new one beside it. STAYS: it is not changed. REFUSED: it cannot come back; nothing starts unless it is ' +
        'skipped. SKIPPED: `startAccountRestore` skipped it.'
    }),
    reason: AccountItemReason.nullable().meta({
      description:
        'NAME_TAKEN: another account has its name now. ADDED_AGAIN: the account itself has added it again. BEING_REMOVED: it is still being deleted. NOT_IN_BACKUP: it was created after the backup. ' +
        'NO_BACKUP: no good backup has its content. NEEDS_SKIPPED: something that it needs is skipped.'
    }),
    takenAt: Timestamp.nullable().meta({ description: 'Time of the backup that its files, rows or mail come from.' }),
    status: RestoreStatus.nullable().meta({
      description: 'Of the restore of its content. Null if it has none, or before the start.'
    }),
    problem: z.string().nullable()
  })
  .meta({ id: 'AccountRestoreItem' })
export type AccountRestoreItem = z.infer<typeof AccountRestoreItem>

export const AccountRestore = z
  .object({
    id: Id,
    backupId: Id.meta({ description: 'A backup of the panel.' }),
    backupTakenAt: Timestamp,
    targetName: z.string().meta({ examples: ['Storage box'] }),
    userId: Id.nullable().meta({ description: 'Null until the account was found in the backup.' }),
    email: z
      .string()
      .meta({ description: 'Address that the account had in the backup.', examples: ['ann@example.com'] }),
    status: AccountRestoreStatus.meta({
      description:
        'PLANNING: the backup is being read. PLANNED: `items` is a preview, and nothing has changed. STARTING and RUNNING: it is being restored.'
    }),
    items: z.array(AccountRestoreItem),
    undoUntil: Timestamp.nullable().meta({
      description: 'Until then the files and mail from before the restore are kept and can be put back.'
    }),
    problem: z.string().nullable(),
    createdAt: Timestamp,
    endedAt: Timestamp.nullable()
  })
  .meta({ id: 'AccountRestore' })
export type AccountRestore = z.infer<typeof AccountRestore>

export const AccountRestoreList = z.object({ restores: z.array(AccountRestore) })
export type AccountRestoreList = z.infer<typeof AccountRestoreList>

export const PlanAccountRestore = z.object({
  backupId: Id.meta({ description: 'A good backup of the panel.' }),
  email: singleLine(254)
    .trim()
    .min(3)
    .toLowerCase()
    .meta({ description: 'Address that the account had at the time of the backup.', examples: ['ann@example.com'] })
})
export type PlanAccountRestore = z.infer<typeof PlanAccountRestore>

export const StartAccountRestore = z.object({
  skip: z
    .array(z.string().max(100))
    .max(10_000)
    .default([])
    .meta({ description: 'Keys of items that are not restored. What needs one of them is skipped too.' })
})
export type StartAccountRestore = z.infer<typeof StartAccountRestore>
