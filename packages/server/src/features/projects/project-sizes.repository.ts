import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'

/** Memory and CPU of the containers of all projects of these accounts; `unit` is for projects without a size. */
export async function sumSizes(
  db: Queryable,
  userIds: readonly string[],
  unit: { memoryMb: number; cpus: number }
): Promise<{ memoryMb: number; cpus: number }> {
  const sum = (part: 'memoryMb' | 'cpus') =>
    sql<string>`coalesce(sum(coalesce((${projects.size} ->> ${part})::numeric, ${unit[part]}::numeric)), 0)`
  const [row] = await db
    .select({ memoryMb: sum('memoryMb'), cpus: sum('cpus') })
    .from(projects)
    .where(sql`${projects.deletedAt} is null and ${projects.userId} = any(${sql.param([...userIds])})`)
  return { memoryMb: Number(row?.memoryMb), cpus: Number(row?.cpus) }
}
