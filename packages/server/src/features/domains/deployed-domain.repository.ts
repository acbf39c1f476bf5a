import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'

/**
 * A project whose deployed domain is neither a name of its own nor a verified domain that points at it has its own name there again; of these
 * projects, or of all.
 */
export async function correctDeployedDomains(
  db: Queryable,
  now: Date,
  projectIds?: readonly (string | null)[]
): Promise<void> {
  const ids = projectIds?.filter((id) => id !== null)
  if (ids?.length === 0) return
  const among =
    ids === undefined
      ? sql`true`
      : sql`p.id in (${sql.join(
          ids.map((id) => sql`${id}`),
          sql`, `
        )})`
  await db.execute(sql`
    update projects p
    set deployed_domain = (select min(h.hostname) from host_names h where h.project_id = p.id), updated_at = ${now.toISOString()}
    where ${among} and p.deployed_domain is not null
      and not exists (select from host_names h where h.project_id = p.id and h.hostname = p.deployed_domain)
      and not exists (
        select from domains d where d.project_id = p.id and d.hostname = p.deployed_domain and d.status = 'ACTIVE'
      )`)
}
