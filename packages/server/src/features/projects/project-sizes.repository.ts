import { and, isNull, type SQL, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { projects } from '../../db/schema/projects.ts'
import { poolCount } from '../../infra/reverse-proxy/reverse-proxy.ts'
import type { Capacity, CapacityScope } from '../users/capacity.policy.ts'

/** The projects whose containers are counted. */
export const isInScope = (scope: CapacityScope): SQL =>
  'nodeId' in scope
    ? sql`${projects.nodeId} = ${scope.nodeId}`
    : sql`${projects.userId} = any(${sql.param([...scope.userIds])})`

/** Live containers of the sites of a machine, for each project. */
const liveContainers = (nodeId?: string): SQL => sql`(
  select count(*) from ${containerSlots} where ${containerSlots.projectId} = ${projects.id}
    and ${containerSlots.deploymentId} = ${projects.liveDeploymentId} and ${containerSlots.retiredAt} is null
    ${nodeId === undefined ? sql`` : sql`and ${containerSlots.nodeId} = ${nodeId}`})`

/** Those that are not deployed yet count on the machine of the first one. */
const countOn = (nodeId: string): SQL => sql`greatest(0, ${liveContainers(nodeId)}
  + case when ${projects.nodeId} = ${nodeId} then ${projects.instances} - ${liveContainers()} else 0 end)`

/** Memory and CPU of the containers of all projects; `unit` is for projects without a size. */
export async function sumSizes(db: Queryable, scope: CapacityScope, unit: Capacity): Promise<Capacity> {
  const instances = 'nodeId' in scope ? countOn(scope.nodeId) : sql`${projects.instances}`
  const isCounted = 'nodeId' in scope ? undefined : isInScope(scope)
  const sum = (part: 'memoryMb' | 'cpus') =>
    sql<string>`coalesce(sum(${instances} * coalesce((${projects.size} ->> ${part})::numeric, ${unit[part]}::numeric)), 0)`
  const [row] = await db
    .select({ memoryMb: sum('memoryMb'), cpus: sum('cpus') })
    .from(projects)
    .where(and(isNull(projects.deletedAt), isCounted))
  return { memoryMb: Number(row?.memoryMb), cpus: Number(row?.cpus) }
}

/** A pool of the proxy that no project has, until the end of the transaction; undefined if all are in use. */
export async function findFreePool(trx: Transaction): Promise<number | undefined> {
  await lockName(trx, 'projects:pools')
  const { rows } = await trx.execute<{ number: number }>(sql`
    select number from generate_series(1, ${poolCount}::int) number
    where not exists (select from projects p where p.proxy_pool = number)
    order by number limit 1`)
  return rows[0]?.number
}
