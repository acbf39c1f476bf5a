import type { FirewallRuleset } from '@panel/contract/firewall'
import { and, eq, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { firewalls } from '../../db/schema/firewalls.ts'

export type FirewallRow = typeof firewalls.$inferSelect

export async function findFirewall(db: Queryable, nodeId: string): Promise<FirewallRow | undefined> {
  const [row] = await db.select().from(firewalls).where(eq(firewalls.nodeId, nodeId))
  return row
}

export async function ensureFirewall(db: Queryable, nodeId: string): Promise<FirewallRow> {
  await db.insert(firewalls).values({ nodeId }).onConflictDoNothing()
  return (await findFirewall(db, nodeId))!
}

const noPending = {
  pendingId: null,
  pendingRuleset: null,
  pendingBy: null,
  pendingSince: null,
  pendingAppliedAt: null,
  pendingUntil: null
}
const nextVersion = sql`${firewalls.version} + 1`

interface PendingChange {
  pendingId: string
  pendingRuleset: FirewallRuleset
  pendingBy: string
  pendingSince: Date
  pendingUntil: Date
}

/** Each of these changes the row only if it still is at `version`, or has the pending change `id`. */
export const startPending = (db: Queryable, { nodeId, version }: FirewallRow, change: PendingChange) =>
  update(db, nodeId, eq(firewalls.version, version), { ...noPending, ...change }, change.pendingSince)

export const markPendingApplied = (db: Queryable, nodeId: string, id: string, now: Date) =>
  update(db, nodeId, eq(firewalls.pendingId, id), { pendingAppliedAt: now }, now)

export const clearPending = (db: Queryable, nodeId: string, id: string, now: Date) =>
  update(db, nodeId, eq(firewalls.pendingId, id), noPending, now)

export const saveRuleset = (db: Queryable, { nodeId, version }: FirewallRow, ruleset: FirewallRuleset, now: Date) =>
  update(db, nodeId, eq(firewalls.version, version), { ...columnsOf(ruleset), ...noPending }, now)

export const promotePending = (db: Queryable, nodeId: string, id: string, ruleset: FirewallRuleset, now: Date) =>
  update(db, nodeId, eq(firewalls.pendingId, id), { ...columnsOf(ruleset), ...noPending }, now)

const columnsOf = ({ enabled, defaultAction, rules }: FirewallRuleset) => ({ isEnabled: enabled, defaultAction, rules })

async function update(
  db: Queryable,
  nodeId: string,
  condition: ReturnType<typeof eq>,
  values: Partial<FirewallRow>,
  now: Date
): Promise<FirewallRow | undefined> {
  const [row] = await db
    .update(firewalls)
    .set({ ...values, version: nextVersion, updatedAt: now })
    .where(and(eq(firewalls.nodeId, nodeId), condition))
    .returning()
  return row
}
