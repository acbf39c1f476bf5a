import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { projects } from '../../db/schema/projects.ts'
import { listProjectRoutes, type RouteKey } from '../domains/routes.repository.ts'
import { openStatuses } from '../deployments/deployment.machine.ts'

/**
 * Stops an account's projects by their rows and ends what is being deployed; the reconcile loop stops the containers. Remembers which
 * ones it stopped. Resolves with their routes. The caller holds the account's lock.
 */
export async function stopProjectsOf(trx: Transaction, userId: string, now: Date): Promise<RouteKey[]> {
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
  return listProjectRoutes(
    trx,
    stopped.map((row) => row.id)
  )
}

/** Starts again what `stopProjectsOf` stopped; what was stopped before stays so. */
export async function resumeProjectsOf(trx: Transaction, userId: string, now: Date): Promise<void> {
  await trx
    .update(projects)
    .set({ status: 'ACTIVE', stoppedBySuspension: false, updatedAt: now })
    .where(and(eq(projects.userId, userId), eq(projects.stoppedBySuspension, true), eq(projects.status, 'STOPPED')))
}
