import type { Backup, BackupTarget, Restore } from '@panel/contract/backups'
import type { ShownBackup, TargetRow } from './backups.repository.ts'
import type { RestoreRow } from './restores.repository.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export const targetView = (row: TargetRow): BackupTarget => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  location: row.location,
  isKeyConfirmed: row.isKeyConfirmed,
  holdsPanel: row.holdsPanel,
  lastGoodAt: iso(row.lastGoodAt),
  lastCheckedAt: iso(row.lastCheckedAt),
  problem: row.problem,
  createdAt: row.createdAt.toISOString()
})

export const backupView = ({ backup, targetName }: ShownBackup): Backup => ({
  id: backup.id,
  subject: backup.subject,
  projectId: backup.projectId,
  projectName: backup.projectName,
  targetId: backup.targetId,
  targetName,
  status: backup.status,
  trigger: backup.trigger,
  progress: { bytesDone: backup.bytesDone, bytesTotal: backup.bytesTotal },
  files: backup.files,
  bytes: backup.bytes,
  bytesAdded: backup.bytesAdded,
  databases: backup.databases,
  excluded: backup.excluded,
  volumes: backup.volumes,
  problem: backup.problem,
  createdAt: backup.createdAt.toISOString(),
  startedAt: iso(backup.startedAt),
  endedAt: iso(backup.endedAt)
})

export const restoreView = (row: RestoreRow): Restore => ({
  id: row.id,
  backupId: row.backupId,
  projectId: row.projectId,
  mailboxId: row.mailboxId,
  kind: row.kind,
  path: row.path,
  volume: row.volumeName,
  status: row.status,
  databaseName: row.databaseName,
  undoUntil: iso(row.undoUntil),
  problem: row.problem,
  createdAt: row.createdAt.toISOString(),
  endedAt: iso(row.endedAt)
})
