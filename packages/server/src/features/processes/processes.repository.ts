import { and, asc, eq, gt, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { maxOverviewItems } from '@panel/contract/overview'
import { counted } from '../../db/counted.ts'
import type { Queryable, Transaction } from '../../db/database.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { processes } from '../../db/schema/processes.ts'
import { projects } from '../../db/schema/projects.ts'
import { volumeIdsOf } from '../volumes/volume-access.ts'
import { isInScope } from '../projects/project-access.ts'
import type { Capacity, CapacityScope } from '../users/capacity.policy.ts'
import type { WorkerFacts } from './process-plan.policy.ts'

export type ProcessRow = typeof processes.$inferSelect

/** After a change that may have repaired it. */
export const healed = { crashingSince: null, lastLines: null, outOfMemoryAt: null, outOfMemoryMb: null }

const ofProcess = (projectId: string, name: string) => and(eq(processes.projectId, projectId), eq(processes.name, name))

export async function listProcesses(db: Queryable, projectId: string): Promise<ProcessRow[]> {
  return db.select().from(processes).where(eq(processes.projectId, projectId)).orderBy(asc(processes.name))
}

export async function lockProcess(trx: Transaction, projectId: string, name: string): Promise<ProcessRow | undefined> {
  const [row] = await trx.select().from(processes).where(ofProcess(projectId, name)).for('update')
  return row
}

/** Undefined if the project has a process of that name. */
export async function insertProcess(
  trx: Transaction,
  values: typeof processes.$inferInsert
): Promise<ProcessRow | undefined> {
  const [row] = await trx.insert(processes).values(values).onConflictDoNothing().returning()
  return row
}

export async function updateProcess(
  db: Queryable,
  { projectId, name }: Pick<ProcessRow, 'projectId' | 'name'>,
  values: Partial<ProcessRow>
): Promise<void> {
  await db.update(processes).set(values).where(ofProcess(projectId, name))
}

/** Undefined if it already had that state: only the first process that sees the change reports it. */
export async function moveCrashing(
  trx: Transaction,
  { projectId, name }: Pick<ProcessRow, 'projectId' | 'name'>,
  values: Pick<ProcessRow, 'crashingSince' | 'lastLines'>
): Promise<ProcessRow | undefined> {
  const isOther = values.crashingSince === null ? isNotNull(processes.crashingSince) : isNull(processes.crashingSince)
  const [row] = await trx
    .update(processes)
    .set(values)
    .where(and(ofProcess(projectId, name), isOther))
    .returning()
  return row
}

export async function deleteProcess(trx: Transaction, projectId: string, name: string): Promise<void> {
  await trx.delete(processes).where(ofProcess(projectId, name))
}

export async function deleteProcessesOf(trx: Transaction, projectId: string): Promise<void> {
  await trx.delete(processes).where(eq(processes.projectId, projectId))
}

/** Without workers that the live release does not have. */
const isPresent = or(
  isNotNull(processes.command),
  sql`jsonb_exists(${deployments.imageSpec}->'processes', ${processes.name})`
)

/** Memory and CPU of the requested instances of all workers; `unit` has the limits of the server. */
export async function sumWorkers(db: Queryable, scope: CapacityScope, unit: Capacity): Promise<Capacity> {
  const sum = (column: typeof processes.memoryMb | typeof processes.cpus, most: number) =>
    sql<string>`coalesce(sum(${processes.instances} * least(${column}::numeric, ${most}::numeric)), 0)`
  const [row] = await db
    .select({ memoryMb: sum(processes.memoryMb, unit.memoryMb), cpus: sum(processes.cpus, unit.cpus) })
    .from(processes)
    .innerJoin(projects, eq(projects.id, processes.projectId))
    .leftJoin(deployments, eq(deployments.id, projects.liveDeploymentId))
    .where(and(isInScope(scope), isPresent))
  return { memoryMb: Number(row?.memoryMb), cpus: Number(row?.cpus) }
}

/** Requested instances of an account's workers. */
export async function countInstances(db: Queryable, userId: string): Promise<number> {
  const [row] = await db
    .select({ n: sql<number>`coalesce(sum(${processes.instances}), 0)::int` })
    .from(processes)
    .innerJoin(projects, eq(projects.id, processes.projectId))
    .leftJoin(deployments, eq(deployments.id, projects.liveDeploymentId))
    .where(and(eq(projects.userId, userId), isPresent))
  return row!.n
}

export interface LiveWorker extends WorkerFacts {
  userId: string
  nodeId: string
  crashingSince: Date | null
}

/** Workers of projects that are deployed and not stopped; of one project or all. */
export async function listLiveWorkers(db: Queryable, projectId?: string): Promise<LiveWorker[]> {
  const rows = await db
    .select({
      projectId: processes.projectId,
      userId: projects.userId,
      nodeId: projects.nodeId,
      name: processes.name,
      command: processes.command,
      instances: processes.instances,
      memoryMb: processes.memoryMb,
      cpus: processes.cpus,
      restarts: processes.restarts,
      crashingSince: processes.crashingSince,
      deploymentId: deployments.id,
      volumes: volumeIdsOf(projects.id),
      imageSpec: deployments.imageSpec
    })
    .from(processes)
    .innerJoin(projects, eq(projects.id, processes.projectId))
    .innerJoin(deployments, eq(deployments.id, projects.liveDeploymentId))
    .where(
      and(
        isNull(projects.deletedAt),
        ne(projects.status, 'STOPPED'),
        isNotNull(deployments.image),
        projectId === undefined ? undefined : eq(processes.projectId, projectId)
      )
    )
    .orderBy(asc(processes.projectId), asc(processes.name))
  return rows.map(({ imageSpec, ...row }) => ({ ...row, procfile: imageSpec?.processes ?? {} }))
}

/** Workers that crash-loop, or ran out of memory after that time. */
export async function listAilingWorkers(db: Queryable, userId: string, outOfMemorySince: Date) {
  const isOutOfMemory = gt(processes.outOfMemoryAt, outOfMemorySince)
  return db
    .select({
      projectId: projects.id,
      projectName: projects.name,
      name: processes.name,
      since: sql<Date | null>`coalesce(${processes.crashingSince}, ${processes.outOfMemoryAt})`.mapWith(
        processes.crashingSince
      ),
      outOfMemoryMb: sql<number | null>`case when ${isOutOfMemory} then ${processes.outOfMemoryMb} end`,
      total: counted
    })
    .from(processes)
    .innerJoin(projects, eq(projects.id, processes.projectId))
    .where(
      and(
        eq(projects.userId, userId),
        eq(projects.status, 'ACTIVE'),
        or(isNotNull(processes.crashingSince), isOutOfMemory)
      )
    )
    .orderBy(asc(processes.crashingSince), asc(processes.outOfMemoryAt))
    .limit(maxOverviewItems)
}

/** Of the release before. */
export async function forgetProblems(trx: Transaction, projectId: string): Promise<void> {
  await trx
    .update(processes)
    .set(healed)
    .where(
      and(
        eq(processes.projectId, projectId),
        or(isNotNull(processes.crashingSince), isNotNull(processes.outOfMemoryAt))
      )
    )
}
