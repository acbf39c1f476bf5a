export { type BackupRow, findBackup, findPanelBackup, findTarget } from './backups.repository.ts'
export { backupSources } from './backup.machine.ts'
export { insertPart, isRestoring, listParts, type RestoreRow } from './restores.repository.ts'
export { heldBy, moved } from './work-move.repository.ts'
