import type { TerminalEnd } from '@panel/contract/terminals'
import { and, count, eq, getTableColumns, isNull, lt, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { nodes } from '../../db/schema/nodes.ts'
import { terminals } from '../../db/schema/terminals.ts'
import { awayAfter } from '../nodes/node-state.policy.ts'

export type TerminalRow = typeof terminals.$inferSelect

const isOpen = isNull(terminals.endedAt)

export async function insertTerminal(trx: Transaction, values: typeof terminals.$inferInsert): Promise<void> {
  await trx.insert(terminals).values(values)
}

export async function findTerminal(db: Queryable, id: string): Promise<TerminalRow | undefined> {
  const [row] = await db.select().from(terminals).where(eq(terminals.id, id))
  return row
}

/** Without those whose processes are still to be ended. */
export async function countOpenTerminals(db: Queryable, userId: string): Promise<number> {
  const [found] = await db
    .select({ n: count() })
    .from(terminals)
    .where(and(eq(terminals.userId, userId), isOpen, isNull(terminals.endReason)))
  return found!.n
}

/** Open ones that nothing has renewed since. Those of a machine that is not responding wait until it is back. */
export async function listAbandonedTerminals(db: Queryable, seenBefore: Date): Promise<TerminalRow[]> {
  return db
    .select(getTableColumns(terminals))
    .from(terminals)
    .leftJoin(nodes, eq(nodes.id, terminals.nodeId))
    .where(and(isOpen, lt(terminals.seenAt, seenBefore), or(isNull(nodes.id), lt(nodes.missedChecks, awayAfter))))
}

export async function isAnyTerminalOpen(db: Queryable): Promise<boolean> {
  return (await db.select({ id: terminals.id }).from(terminals).where(isOpen).limit(1)).length > 0
}

export async function updateOpenTerminal(
  db: Queryable,
  id: string,
  values: Partial<Pick<TerminalRow, 'processId' | 'nodeId' | 'seenAt' | 'endReason'>>
): Promise<void> {
  await db
    .update(terminals)
    .set(values)
    .where(and(eq(terminals.id, id), isOpen))
}

/** Undefined if it has already ended. A reason that is already recorded is kept. */
export async function closeTerminalRow(
  trx: Transaction,
  id: string,
  { endedAt, endReason, exitCode }: { endedAt: Date; endReason: TerminalEnd; exitCode: number | null }
): Promise<TerminalRow | undefined> {
  const [row] = await trx
    .update(terminals)
    .set({ endedAt, exitCode, endReason: sql`coalesce(${terminals.endReason}, ${endReason})` })
    .where(and(eq(terminals.id, id), isOpen))
    .returning()
  return row
}

export async function deleteEndedTerminals(trx: Transaction, userId: string, before: Date): Promise<void> {
  await trx.delete(terminals).where(and(eq(terminals.userId, userId), lt(terminals.endedAt, before)))
}
