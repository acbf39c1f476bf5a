import { eq } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { commitStatuses } from '../../db/schema/commit-statuses.ts'

export type CommitStatusRow = typeof commitStatuses.$inferSelect

export async function findCommitStatus(db: Queryable, projectId: string): Promise<CommitStatusRow | undefined> {
  const [row] = await db.select().from(commitStatuses).where(eq(commitStatuses.projectId, projectId))
  return row
}

export async function saveCommitStatus(
  trx: Transaction,
  values: Pick<CommitStatusRow, 'projectId' | 'provider' | 'apiUrl' | 'token' | 'updatedAt'>
): Promise<CommitStatusRow> {
  const [row] = await trx
    .insert(commitStatuses)
    .values(values)
    .onConflictDoUpdate({ target: commitStatuses.projectId, set: values })
    .returning()
  return row!
}

export async function recordAttempt(
  trx: Transaction,
  projectId: string,
  last: Pick<
    CommitStatusRow,
    'lastState' | 'lastCommitHash' | 'lastDeploymentId' | 'lastOutcome' | 'lastProblem' | 'lastAt'
  >
): Promise<void> {
  await trx.update(commitStatuses).set(last).where(eq(commitStatuses.projectId, projectId))
}

export async function deleteCommitStatus(trx: Transaction, projectId: string): Promise<boolean> {
  const rows = await trx
    .delete(commitStatuses)
    .where(eq(commitStatuses.projectId, projectId))
    .returning({ projectId: commitStatuses.projectId })
  return rows.length > 0
}
