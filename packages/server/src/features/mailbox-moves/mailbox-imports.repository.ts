import { and, asc, count, desc, eq, exists, inArray, isNull, lte, not, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { MailboxImportStatus } from '@panel/contract/mailbox-imports'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import { mailboxImportPositions, mailboxImports } from '../../db/schema/mailbox-imports.ts'
import { mailboxes } from '../../db/schema/mailboxes.ts'
import type { FolderPosition } from '../../infra/mailbox-copier/mailbox-copier.ts'
import { hasEnded, sourcesOf } from './mailbox-import.machine.ts'

export type MailboxImportRow = typeof mailboxImports.$inferSelect

const openStatuses: MailboxImportStatus[] = sourcesOf('CANCELLED')
const isOpen = inArray(mailboxImports.status, openStatuses)

export async function insertImport(
  trx: Transaction,
  values: typeof mailboxImports.$inferInsert
): Promise<MailboxImportRow | undefined> {
  const [row] = await trx.insert(mailboxImports).values(values).onConflictDoNothing().returning()
  return row
}

/** By mailbox and id, because callers have only checked access to the mailbox. */
export async function findImport(db: Queryable, mailboxId: string, id: string): Promise<MailboxImportRow | undefined> {
  const [row] = await db
    .select()
    .from(mailboxImports)
    .where(and(eq(mailboxImports.mailboxId, mailboxId), eq(mailboxImports.id, id)))
  return row
}

export async function listImports(
  db: Queryable,
  mailboxId: string,
  { page, limit }: { page: number; limit: number }
): Promise<{ rows: MailboxImportRow[]; total: number }> {
  const where = eq(mailboxImports.mailboxId, mailboxId)
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(mailboxImports)
      .where(where)
      .orderBy(desc(mailboxImports.createdAt), desc(mailboxImports.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(mailboxImports, where)
  ])
  return { rows, total }
}

export const countOpenImports = (db: Queryable, userId: string): Promise<number> =>
  db.$count(mailboxImports, and(eq(mailboxImports.userId, userId), isOpen))

/** At most one import runs per account, and `atOnce` in total. Undefined if none is due. */
export function claimImport(
  db: Database,
  { workerId, now, atOnce }: { workerId: number; now: Date; atOnce: number }
): Promise<MailboxImportRow | undefined> {
  return db.transaction(async (trx) => {
    await lockName(trx, 'mailbox-imports:claim')
    if ((await trx.$count(mailboxImports, eq(mailboxImports.status, 'RUNNING'))) >= atOnce) return undefined
    const [next] = await trx.select({ id: mailboxImports.id }).from(mailboxImports).where(due(trx, now)).orderBy(asc(mailboxImports.queuedAt)).limit(1) // oxfmt-ignore
    return next && moveImport(trx, next.id, 'RUNNING', now, { workerId, startedAt: sql`coalesce(started_at, ${now.toISOString()})` }) // oxfmt-ignore
  })
}

function due(db: Queryable, now: Date) {
  const other = alias(mailboxImports, 'other')
  const busy = db
    .select({ one: sql`1` })
    .from(other)
    .where(and(eq(other.userId, mailboxImports.userId), eq(other.status, 'RUNNING')))
  return and(eq(mailboxImports.status, 'QUEUED'), lte(mailboxImports.notBefore, now), notExists(busy))
}

export const listDueImports = (db: Queryable, now: Date, limit: number): Promise<MailboxImportRow[]> =>
  db.select().from(mailboxImports).where(due(db, now)).orderBy(asc(mailboxImports.queuedAt)).limit(limit)

export const hasDueImport = async (db: Queryable, now: Date): Promise<boolean> =>
  (await listDueImports(db, now, 1)).length > 0

export const listOpenImports = (db: Queryable): Promise<Pick<MailboxImportRow, 'id' | 'workerId'>[]> =>
  db.select({ id: mailboxImports.id, workerId: mailboxImports.workerId }).from(mailboxImports).where(isOpen)

export async function countOpenByStatus(db: Queryable): Promise<Record<string, number>> {
  const rows = await db
    .select({ status: mailboxImports.status, count: count() })
    .from(mailboxImports)
    .where(isOpen)
    .groupBy(mailboxImports.status)
  const found = new Map(rows.map((row) => [row.status, row.count]))
  return Object.fromEntries(openStatuses.map((status) => [status, found.get(status) ?? 0]))
}

type Values = Partial<{ [K in keyof MailboxImportRow]: MailboxImportRow[K] | ReturnType<typeof sql> }>

/** Compare-and-swap: undefined if the status has changed. Deletes the password when the import ends. */
export async function moveImport(
  db: Queryable,
  id: string,
  status: MailboxImportStatus,
  now: Date,
  values: Values = {}
): Promise<MailboxImportRow | undefined> {
  const [row] = await db
    .update(mailboxImports)
    .set({
      ...values,
      status,
      updatedAt: now,
      ...(status === 'RUNNING' ? {} : { workerId: null }),
      ...(status === 'QUEUED' ? { queuedAt: now } : {}),
      ...(hasEnded(status) ? { password: null, endedAt: now } : {})
    } as Partial<MailboxImportRow>)
    .where(and(eq(mailboxImports.id, id), inArray(mailboxImports.status, sourcesOf(status))))
    .returning()
  return row
}

export async function failImportsOf(trx: Transaction, userId: string, reason: string, now: Date): Promise<void> {
  await trx
    .update(mailboxImports)
    .set({ status: 'FAILED', reason, password: null, workerId: null, endedAt: now, updatedAt: now })
    .where(and(eq(mailboxImports.userId, userId), isOpen))
}

/** Undefined if the import no longer belongs to this worker. */
export async function updateOwnImport(
  db: Queryable,
  id: string,
  workerId: number,
  values: Values,
  now: Date
): Promise<MailboxImportRow | undefined> {
  const [row] = await db
    .update(mailboxImports)
    .set({ ...values, updatedAt: now } as Partial<MailboxImportRow>)
    .where(and(eq(mailboxImports.id, id), eq(mailboxImports.status, 'RUNNING'), eq(mailboxImports.workerId, workerId)))
    .returning()
  return row
}

export async function isStillWanted(db: Queryable, id: string, workerId: number): Promise<boolean> {
  const mailbox = db
    .select({ one: sql`1` })
    .from(mailboxes)
    .where(and(eq(mailboxes.id, mailboxImports.mailboxId), isNull(mailboxes.deletedAt)))
  return (
    (await db.$count(
      mailboxImports,
      and(eq(mailboxImports.id, id), eq(mailboxImports.status, 'RUNNING'), eq(mailboxImports.workerId, workerId), exists(mailbox)) // oxfmt-ignore
    )) > 0
  )
}

type SourceKey = Pick<MailboxImportRow, 'mailboxId' | 'host' | 'username'>

export const listPositions = (db: Queryable, { mailboxId, host, username }: SourceKey): Promise<FolderPosition[]> =>
  db
    .select({
      path: mailboxImportPositions.path,
      uidValidity: mailboxImportPositions.uidValidity,
      lastUid: mailboxImportPositions.lastUid,
      target: mailboxImportPositions.target,
      targetUidValidity: mailboxImportPositions.targetUidValidity,
      targetUidNext: mailboxImportPositions.targetUidNext
    })
    .from(mailboxImportPositions)
    .where(
      and(
        eq(mailboxImportPositions.mailboxId, mailboxId),
        eq(mailboxImportPositions.host, host),
        eq(mailboxImportPositions.username, username)
      )
    )

export async function savePosition(
  trx: Transaction,
  { mailboxId, host, username }: SourceKey,
  position: FolderPosition,
  now: Date
): Promise<void> {
  const { path, ...values } = position
  await trx
    .insert(mailboxImportPositions)
    .values({ mailboxId, host, username, path, ...values, updatedAt: now })
    .onConflictDoUpdate({
      target: [
        mailboxImportPositions.mailboxId,
        mailboxImportPositions.host,
        mailboxImportPositions.username,
        mailboxImportPositions.path
      ],
      set: { ...values, updatedAt: now }
    })
}

export async function pruneImports(trx: Transaction, mailboxId: string, kept: number): Promise<void> {
  const latest = trx
    .select({ id: mailboxImports.id })
    .from(mailboxImports)
    .where(eq(mailboxImports.mailboxId, mailboxId))
    .orderBy(desc(mailboxImports.createdAt), desc(mailboxImports.id))
    .limit(kept)
  await trx
    .delete(mailboxImports)
    .where(and(eq(mailboxImports.mailboxId, mailboxId), not(isOpen), not(inArray(mailboxImports.id, latest))))
  const source = trx
    .select({ one: sql`1` })
    .from(mailboxImports)
    .where(
      and(
        eq(mailboxImports.mailboxId, mailboxImportPositions.mailboxId),
        eq(mailboxImports.host, mailboxImportPositions.host),
        eq(mailboxImports.username, mailboxImportPositions.username)
      )
    )
  await trx
    .delete(mailboxImportPositions)
    .where(and(eq(mailboxImportPositions.mailboxId, mailboxId), notExists(source)))
}
