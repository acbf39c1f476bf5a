export { type BackupRow, findBackup, findTarget } from './backups.repository.ts'
export { backupSources } from './backup.machine.ts'
export { heldBy, moved } from './work-move.repository.ts'
