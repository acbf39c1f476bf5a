import { and, asc, desc, eq, gt, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type BackupStatus, type BackupSubject, backupSubjects, type BackupTrigger } from '@panel/contract/backups'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import { backups, backupTargets } from '../../db/schema/backups.ts'
import { projects } from '../../db/schema/projects.ts'
import { newId } from '../../security/ids.ts'
import { backupSources } from './backup.machine.ts'
import { heldBy, moved } from './work-move.repository.ts'

export type TargetRow = typeof backupTargets.$inferSelect
export type BackupRow = typeof backups.$inferSelect

export async function insertTarget(
  trx: Transaction,
  values: typeof backupTargets.$inferInsert
): Promise<TargetRow | undefined> {
  const [row] = await trx.insert(backupTargets).values(values).onConflictDoNothing().returning()
  return row
}

export const listTargets = (db: Queryable): Promise<TargetRow[]> =>
  db.select().from(backupTargets).orderBy(asc(backupTargets.createdAt), asc(backupTargets.id))

export const isAnyTarget = async (db: Queryable): Promise<boolean> => (await db.$count(backupTargets)) > 0

export async function findTarget(db: Queryable, id: string): Promise<TargetRow | undefined> {
  const [row] = await db.select().from(backupTargets).where(eq(backupTargets.id, id))
  return row
}

export async function updateTarget(
  db: Queryable,
  id: string,
  values: Partial<TargetRow>,
  now: Date
): Promise<TargetRow | undefined> {
  const [row] = await db
    .update(backupTargets)
    .set({ ...values, updatedAt: now })
    .where(eq(backupTargets.id, id))
    .returning()
  return row
}

export const deleteTarget = async (trx: Transaction, id: string): Promise<void> => {
  await trx.delete(backupTargets).where(eq(backupTargets.id, id))
}

export const countRunning = (db: Queryable, targetId: string): Promise<number> =>
  db.$count(backups, and(eq(backups.targetId, targetId), eq(backups.status, 'RUNNING')))

const batch = 500

type Queued = Pick<BackupRow, 'subject' | 'projectId' | 'userId' | 'projectName'>

/** What can be backed up, by subject. */
const subjects: Readonly<Record<BackupSubject, (trx: Transaction, projectId?: string) => Promise<Queued[]>>> = {
  async PROJECT(trx, projectId) {
    const where = and(isNull(projects.deletedAt), projectId === undefined ? undefined : eq(projects.id, projectId))
    const found = await trx.select({ id: projects.id, userId: projects.userId, name: projects.name }).from(projects).where(where) // oxfmt-ignore
    return found.map(({ id, userId, name }) => ({ subject: 'PROJECT', projectId: id, userId, projectName: name }))
  },
  PANEL: async () => [{ subject: 'PANEL', projectId: null, userId: null, projectName: null }]
}

interface NewBackups {
  /** Default: all of them. */
  subject?: BackupSubject | undefined
  projectId?: string | undefined
  targetIds: readonly string[]
  trigger: BackupTrigger
  now: Date
}

/** Queues a backup per subject and target; skips those that are queued or running. Resolves with the number queued. */
export async function insertBackups(trx: Transaction, of: NewBackups): Promise<number> {
  const wanted = of.subject === undefined ? backupSubjects : [of.subject]
  const found = []
  for (const subject of wanted) found.push(...(await subjects[subject](trx, of.projectId)))
  const targets = await trx
    .select({ id: backupTargets.id, holdsPanel: backupTargets.holdsPanel })
    .from(backupTargets)
    .where(inArray(backupTargets.id, [...of.targetIds]))
  const values = found.flatMap((each) =>
    targets
      .filter(({ holdsPanel }) => each.subject !== 'PANEL' || holdsPanel)
      .map(({ id: targetId }) => ({
        ...each,
        id: newId(of.now.getTime()),
        targetId,
        trigger: of.trigger,
        createdAt: of.now,
        updatedAt: of.now
      }))
  )
  let queued = 0
  for (let from = 0; from < values.length; from += batch) {
    const rows = await trx
      .insert(backups)
      .values(values.slice(from, from + batch))
      .onConflictDoNothing()
      .returning({ id: backups.id })
    queued += rows.length
  }
  return queued
}

const withTarget = (db: Queryable) =>
  db
    .select({ backup: backups, targetName: backupTargets.name })
    .from(backups)
    .innerJoin(backupTargets, eq(backupTargets.id, backups.targetId))

export type ShownBackup = Awaited<ReturnType<typeof withTarget>>[number]

export async function listBackups(
  db: Queryable,
  { page, limit }: { page: number; limit: number },
  projectId?: string
): Promise<{ rows: ShownBackup[]; total: number }> {
  const where = projectId === undefined ? undefined : eq(backups.projectId, projectId)
  const [rows, total] = await Promise.all([
    withTarget(db)
      .where(where)
      .orderBy(desc(backups.createdAt), desc(backups.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(backups, where)
  ])
  return { rows, total }
}

/** By project and id, because callers have only checked access to the project. */
export async function findBackup(db: Queryable, projectId: string, id: string): Promise<ShownBackup | undefined> {
  const [row] = await withTarget(db).where(and(eq(backups.projectId, projectId), eq(backups.id, id)))
  return row
}

/** Good backups of the panel that were started after `since`, newest first. */
export const listPanelBackups = (db: Queryable, since: Date, limit: number): Promise<ShownBackup[]> =>
  withTarget(db)
    .where(and(isNull(backups.projectId), eq(backups.status, 'GOOD'), gt(backups.startedAt, since)))
    .orderBy(desc(backups.createdAt), desc(backups.id))
    .limit(limit)

export async function findPanelBackup(db: Queryable, id: string): Promise<ShownBackup | undefined> {
  const [row] = await withTarget(db).where(and(isNull(backups.projectId), eq(backups.id, id)))
  return row
}

/**
 * The oldest queued backup of a target on which none runs. Those that a person started come first, and the panel after
 * the projects, so that its store knows of their backups.
 */
export function claimBackup(
  db: Database,
  workerId: number,
  triggers: readonly BackupTrigger[],
  now: Date
): Promise<BackupRow | undefined> {
  return db.transaction(async (trx) => {
    await lockName(trx, 'backups:claim')
    const other = alias(backups, 'other')
    const busy = trx
      .select({ one: sql`1` })
      .from(other)
      .where(and(eq(other.targetId, backups.targetId), eq(other.status, 'RUNNING')))
    const [next] = await trx
      .select({ id: backups.id, workerId: backups.workerId, attempts: backups.attempts })
      .from(backups)
      .innerJoin(backupTargets, eq(backupTargets.id, backups.targetId))
      .where(
        and(
          eq(backups.status, 'QUEUED'),
          inArray(backups.trigger, [...triggers]),
          isNull(backupTargets.workerId),
          notExists(busy)
        )
      )
      .orderBy(asc(backups.trigger), asc(backups.subject), asc(backups.createdAt), asc(backups.id))
      .limit(1)
    return next && moveBackup(trx, next, 'RUNNING', now, { workerId, attempts: next.attempts + 1, startedAt: now, bytesDone: 0, bytesTotal: 0 }) // oxfmt-ignore
  })
}

/** Undefined unless the target was last checked before `before` and has neither a running nor a queued backup. */
export function claimMaintenance(
  db: Database,
  targetId: string,
  workerId: number,
  before: Date
): Promise<TargetRow | undefined> {
  return db.transaction(async (trx) => {
    await lockName(trx, 'backups:claim')
    const open = trx
      .select({ one: sql`1` })
      .from(backups)
      .where(and(eq(backups.targetId, targetId), inArray(backups.status, ['QUEUED', 'RUNNING'])))
    const [row] = await trx
      .update(backupTargets)
      .set({ workerId })
      .where(
        and(
          eq(backupTargets.id, targetId),
          isNull(backupTargets.workerId),
          or(isNull(backupTargets.lastCheckedAt), lt(backupTargets.lastCheckedAt, before)),
          notExists(open)
        )
      )
      .returning()
    return row
  })
}

/** Compare-and-swap: undefined if the status has changed, or the backup belongs to another worker than `row.workerId`. */
export async function moveBackup(
  db: Queryable,
  { id, workerId }: Pick<BackupRow, 'id' | 'workerId'>,
  status: BackupStatus,
  now: Date,
  values: Partial<BackupRow> = {}
): Promise<BackupRow | undefined> {
  const [row] = await db
    .update(backups)
    .set({ ...values, ...moved(status, now) })
    .where(and(eq(backups.id, id), heldBy(backups.workerId, workerId), inArray(backups.status, backupSources(status))))
    .returning()
  return row
}

/** False if the backup no longer belongs to this worker. */
export async function updateOwnBackup(
  db: Queryable,
  id: string,
  workerId: number,
  values: Partial<BackupRow>,
  now: Date
): Promise<boolean> {
  const rows = await db
    .update(backups)
    .set({ ...values, updatedAt: now })
    .where(and(eq(backups.id, id), eq(backups.status, 'RUNNING'), eq(backups.workerId, workerId)))
    .returning({ id: backups.id })
  return rows.length > 0
}

export async function failQueued(db: Queryable, targetId: string, problem: string, now: Date): Promise<void> {
  await db
    .update(backups)
    .set({ status: 'FAILED', problem, endedAt: now, updatedAt: now })
    .where(and(eq(backups.targetId, targetId), eq(backups.status, 'QUEUED')))
}

export const countQueued = (db: Queryable, triggers: readonly BackupTrigger[]): Promise<number> =>
  db.$count(backups, and(eq(backups.status, 'QUEUED'), inArray(backups.trigger, [...triggers])))

export const listOpenBackups = (db: Queryable): Promise<Pick<BackupRow, 'id' | 'workerId' | 'attempts'>[]> =>
  db
    .select({ id: backups.id, workerId: backups.workerId, attempts: backups.attempts })
    .from(backups)
    .where(inArray(backups.status, ['QUEUED', 'RUNNING']))

export async function deleteSnapshotRows(db: Queryable, targetId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  // restic prints short ids after a backup and whole ones when it forgets.
  const short = [...new Set(ids.flatMap((id) => [id, id.slice(0, 8)]))]
  await db.delete(backups).where(and(eq(backups.targetId, targetId), inArray(backups.snapshotId, short)))
}

export const deleteFailedBefore = async (db: Queryable, before: Date): Promise<void> => {
  await db.delete(backups).where(and(eq(backups.status, 'FAILED'), lt(backups.endedAt, before)))
}

export async function wasGoodBefore(db: Queryable, { subject, projectId, targetId, id }: BackupRow): Promise<boolean> {
  const ofProject = projectId === null ? isNull(backups.projectId) : eq(backups.projectId, projectId)
  const [previous] = await db
    .select({ status: backups.status })
    .from(backups)
    .where(and(eq(backups.subject, subject), ofProject, eq(backups.targetId, targetId), lt(backups.id, id)))
    .orderBy(desc(backups.createdAt), desc(backups.id))
    .limit(1)
  return previous?.status !== 'FAILED'
}
