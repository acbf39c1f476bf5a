import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'

/** Resets the deployed domain to the project's hostname if its custom domain is gone. Checks these projects, or all. */
export async function correctDeployedDomains(
  db: Queryable,
  now: Date,
  projectIds?: readonly (string | null)[]
): Promise<void> {
  const ids = projectIds?.filter((id) => id !== null)
  if (ids?.length === 0) return
  const scope =
    ids === undefined
      ? sql`true`
      : sql`p.id in (${sql.join(
          ids.map((id) => sql`${id}`),
          sql`, `
        )})`
  await db.execute(sql`
    update projects p
    set deployed_domain = (select min(h.hostname) from host_names h where h.project_id = p.id), updated_at = ${now.toISOString()}
    where ${scope} and p.deployed_domain is not null
      and not exists (select from host_names h where h.project_id = p.id and h.hostname = p.deployed_domain)
      and not exists (
        select from domains d where d.project_id = p.id and d.hostname = p.deployed_domain and d.status = 'ACTIVE'
      )`)
}
