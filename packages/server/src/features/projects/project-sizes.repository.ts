import { sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import { projects } from '../../db/schema/projects.ts'
import { poolCount } from '../../infra/reverse-proxy/reverse-proxy.ts'
import type { Capacity } from '../users/capacity.policy.ts'

/** Memory and CPU of the containers of all projects of these accounts; `unit` is for projects without a size. */
export async function sumSizes(db: Queryable, userIds: readonly string[], unit: Capacity): Promise<Capacity> {
  const sum = (part: 'memoryMb' | 'cpus') =>
    sql<string>`coalesce(sum(${projects.instances} * coalesce((${projects.size} ->> ${part})::numeric, ${unit[part]}::numeric)), 0)`
  const [row] = await db
    .select({ memoryMb: sum('memoryMb'), cpus: sum('cpus') })
    .from(projects)
    .where(sql`${projects.deletedAt} is null and ${projects.userId} = any(${sql.param([...userIds])})`)
  return { memoryMb: Number(row?.memoryMb), cpus: Number(row?.cpus) }
}

/** A pool of the proxy that no project has, until the end of the transaction; undefined if all are in use. */
export async function findFreePool(trx: Transaction, nodeId: string): Promise<number | undefined> {
  await lockName(trx, 'projects:pools')
  const { rows } = await trx.execute<{ number: number }>(sql`
    select number from generate_series(1, ${poolCount}::int) number
    where not exists (select from projects p where p.node_id = ${nodeId} and p.proxy_pool = number)
    order by number limit 1`)
  return rows[0]?.number
}
