import type { ProjectBackupSettings } from '@panel/contract/backup-schedule'
import type { Queryable } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { findProjectSettings, saveProjectSettings } from './project-backup-settings.repository.ts'

const defaults: ProjectBackupSettings = { isEnabled: false, hour: 12, minute: 0, weekdays: [], excluded: [] }

export async function readProjectSettings(db: Queryable, projectId: string): Promise<ProjectBackupSettings> {
  const row = await findProjectSettings(db, projectId)
  if (!row) return defaults
  const { isEnabled, hour, minute, weekdays, excluded } = row
  return { isEnabled, hour, minute, weekdays, excluded }
}

export async function showProjectSettings(
  { db }: Pick<Dependencies, 'db'>,
  userId: string,
  projectId: string
): Promise<ProjectBackupSettings> {
  await getOwnProject(db, projectId, userId)
  return readProjectSettings(db, projectId)
}

/** Takes effect with the next backup. */
export async function changeProjectSettings(
  deps: Pick<Dependencies, 'config' | 'db' | 'now'>,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  settings: ProjectBackupSettings
): Promise<ProjectBackupSettings> {
  await getOwnProject(deps.db, projectId, userId)
  await deps.db.transaction(async (trx) => {
    const before = await readProjectSettings(trx, projectId)
    await saveProjectSettings(trx, projectId, settings, deps.now())
    await recordAudit(deps, trx, origin, {
      action: 'backup_settings.changed',
      actorId: userId,
      targetId: projectId,
      metadata: { before, after: settings }
    })
  })
  return settings
}
