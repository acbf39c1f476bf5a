import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import { deployments, hostNames, projects } from '../../db/schema.ts'
import { openStatuses } from '../deployments/deployment.machine.ts'

/**
 * Stops an account's projects by their rows and ends what is being deployed; the reconcile loop stops the containers. Remembers which
 * ones it stopped. Resolves with their host names. The caller holds the account's lock.
 */
export async function stopProjectsOf(trx: Transaction, userId: string, now: Date): Promise<string[]> {
  // All of them, stopped ones too: whoever is just queueing a deployment holds one of these locks and is waited for.
  await trx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.userId, userId), ne(projects.status, 'DELETED')))
    .orderBy(asc(projects.id))
    .for('update')
  const stopped = await trx
    .update(projects)
    .set({ status: 'STOPPED', stoppedBySuspension: true, updatedAt: now })
    .where(and(eq(projects.userId, userId), inArray(projects.status, ['ACTIVE', 'CREATING'])))
    .returning({ id: projects.id })
  await trx
    .update(deployments)
    .set({ status: 'CANCELLED', updatedAt: now })
    .where(and(eq(deployments.userId, userId), inArray(deployments.status, [...openStatuses])))
  const ids = stopped.map((row) => row.id)
  const rows = await trx
    .select({ hostname: hostNames.hostname })
    .from(hostNames)
    .where(inArray(hostNames.projectId, ids))
  return rows.map((row) => row.hostname)
}

/** Starts again what `stopProjectsOf` stopped; what was stopped before stays so. */
export async function resumeProjectsOf(trx: Transaction, userId: string, now: Date): Promise<void> {
  await trx
    .update(projects)
    .set({ status: 'ACTIVE', stoppedBySuspension: false, updatedAt: now })
    .where(and(eq(projects.userId, userId), eq(projects.stoppedBySuspension, true), eq(projects.status, 'STOPPED')))
}
