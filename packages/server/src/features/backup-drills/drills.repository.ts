import { and, desc, eq, gt, inArray, isNull, lt, lte, max, or, sql } from 'drizzle-orm'
import type { BackupStatus } from '@panel/contract/backups'
import type { Queryable, Transaction } from '../../db/database.ts'
import { backupDrills } from '../../db/schema/backup-drills.ts'
import { backups, backupTargets } from '../../db/schema/backups.ts'
import { projects } from '../../db/schema/projects.ts'
import { type BackupRow, backupSources, heldBy, moved } from '../backups/backup-access.ts'

export type DrillRow = typeof backupDrills.$inferSelect

/** Whether a drill could be due, or an old one is kept. */
export async function isAnyTargetOrDrill(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute(
    sql`(select from ${backupTargets} limit 1) union all (select from ${backupDrills} limit 1)`
  )
  return rows.length > 0
}

/** Undefined if another drill is open. */
export async function insertDrill(
  trx: Transaction,
  values: typeof backupDrills.$inferInsert
): Promise<DrillRow | undefined> {
  const [row] = await trx.insert(backupDrills).values(values).onConflictDoNothing().returning()
  return row
}

export async function findDrill(db: Queryable, id: string): Promise<DrillRow | undefined> {
  const [row] = await db.select().from(backupDrills).where(eq(backupDrills.id, id))
  return row
}

export interface DrillCandidate {
  projectId: string
  projectName: string
  backupId: string
  targetName: string
  drilledAt: Date | null
  backup: BackupRow
}

/** The latest good backup per project and target that ended before `before`. */
export async function listCandidates(
  db: Queryable,
  { before, projectId }: { before: Date; projectId?: string | undefined }
): Promise<DrillCandidate[]> {
  const drilled = db
    .select({ projectId: backupDrills.projectId, at: max(backupDrills.createdAt).as('drilled_at') })
    .from(backupDrills)
    .groupBy(backupDrills.projectId)
    .as('drilled')
  const rows = await db
    .selectDistinctOn([backups.projectId, backups.targetId], {
      backup: backups,
      projectName: projects.name,
      targetName: backupTargets.name,
      drilledAt: drilled.at
    })
    .from(backups)
    .innerJoin(projects, and(eq(projects.id, backups.projectId), isNull(projects.deletedAt)))
    .innerJoin(backupTargets, eq(backupTargets.id, backups.targetId))
    .leftJoin(drilled, eq(drilled.projectId, projects.id))
    .where(
      and(
        eq(backups.status, 'GOOD'),
        lt(backups.endedAt, before),
        projectId === undefined ? undefined : eq(backups.projectId, projectId)
      )
    )
    .orderBy(backups.projectId, backups.targetId, desc(backups.createdAt), desc(backups.id))
  return rows.map((row) => ({ ...row, projectId: row.backup.projectId!, backupId: row.backup.id }))
}

/** Whether the schedule queued a drill since `slot`. One that a clock ahead of time stored does not count. */
export async function wasDrilledSince(db: Queryable, slot: Date, now: Date): Promise<boolean> {
  const { createdAt, trigger } = backupDrills
  return (await db.$count(backupDrills, and(eq(trigger, 'SCHEDULE'), gt(createdAt, slot), lte(createdAt, now)))) > 0
}

export async function listDrills(
  db: Queryable,
  { page, limit }: { page: number; limit: number },
  projectId?: string
): Promise<{ rows: DrillRow[]; total: number }> {
  const where = projectId === undefined ? undefined : eq(backupDrills.projectId, projectId)
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(backupDrills)
      .where(where)
      .orderBy(desc(backupDrills.createdAt), desc(backupDrills.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(backupDrills, where)
  ])
  return { rows, total }
}

/** Compare-and-swap, as for backups. */
export async function moveDrill(
  db: Queryable,
  { id, workerId }: Pick<DrillRow, 'id' | 'workerId'>,
  status: BackupStatus,
  now: Date,
  values: Partial<DrillRow> = {}
): Promise<DrillRow | undefined> {
  const [row] = await db
    .update(backupDrills)
    .set({ ...values, ...moved(status, now) })
    .where(
      and(
        eq(backupDrills.id, id),
        heldBy(backupDrills.workerId, workerId),
        inArray(backupDrills.status, backupSources(status))
      )
    )
    .returning()
  return row
}

export async function forgetScratch(db: Queryable, id: string): Promise<void> {
  await db.update(backupDrills).set({ hasScratch: false }).where(eq(backupDrills.id, id))
}

const isOpen = inArray(backupDrills.status, ['QUEUED', 'RUNNING'])

/** Drills that are open, or that may have left something. */
export const listUnfinishedDrills = (db: Queryable): Promise<DrillRow[]> =>
  db.select().from(backupDrills).where(or(isOpen, backupDrills.hasScratch))

export async function listOpenDrillIds(db: Queryable): Promise<string[]> {
  const rows = await db.select({ id: backupDrills.id }).from(backupDrills).where(isOpen)
  return rows.map(({ id }) => id)
}

/** Latest drills of existing projects that failed. */
export async function listFailedProjects(db: Queryable): Promise<DrillRow[]> {
  const latest = db
    .selectDistinctOn([backupDrills.projectId])
    .from(backupDrills)
    .where(inArray(backupDrills.status, ['GOOD', 'FAILED']))
    .orderBy(backupDrills.projectId, desc(backupDrills.createdAt), desc(backupDrills.id))
    .as('latest')
  const rows = await db
    .select()
    .from(latest)
    .innerJoin(projects, and(eq(projects.id, latest.projectId), isNull(projects.deletedAt)))
    .where(eq(latest.status, 'FAILED'))
    .orderBy(desc(latest.createdAt))
  return rows.map(({ latest: drill }) => drill)
}

export async function deleteDrillsBefore(db: Queryable, before: Date): Promise<void> {
  await db.delete(backupDrills).where(and(lt(backupDrills.createdAt, before), eq(backupDrills.hasScratch, false)))
}
