import { and, eq, gt, lt, or } from 'drizzle-orm'
import type { ProjectBackupSettings } from '@panel/contract/backup-schedule'
import type { Queryable, Transaction } from '../../db/database.ts'
import { projectBackupSettings } from '../../db/schema/backups.ts'

type SettingsRow = typeof projectBackupSettings.$inferSelect

export async function findProjectSettings(db: Queryable, projectId: string): Promise<SettingsRow | undefined> {
  const [row] = await db.select().from(projectBackupSettings).where(eq(projectBackupSettings.projectId, projectId))
  return row
}

/** A time of the schedule that passed before `now` is not made up for. */
export async function saveProjectSettings(
  trx: Transaction,
  projectId: string,
  settings: ProjectBackupSettings,
  now: Date
): Promise<void> {
  const set = { ...settings, queuedAt: now, updatedAt: now }
  await trx
    .insert(projectBackupSettings)
    .values({ projectId, ...set })
    .onConflictDoUpdate({ target: projectBackupSettings.projectId, set })
}

export const listScheduledProjects = (db: Queryable): Promise<SettingsRow[]> =>
  db.select().from(projectBackupSettings).where(eq(projectBackupSettings.isEnabled, true))

/** Takes a time of the schedule once. `end`: one after it was stored by a clock that was ahead. */
export async function claimProjectSlot(trx: Transaction, projectId: string, slot: Date, end: Date): Promise<boolean> {
  const { queuedAt } = projectBackupSettings
  const rows = await trx
    .update(projectBackupSettings)
    .set({ queuedAt: slot })
    .where(and(eq(projectBackupSettings.projectId, projectId), or(lt(queuedAt, slot), gt(queuedAt, end))))
    .returning({ id: projectBackupSettings.projectId })
  return rows.length > 0
}
