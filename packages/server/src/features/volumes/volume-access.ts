import { sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Queryable } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'

export { mountVolumes } from './mounts.service.ts'
export { findVolumeNamed, listVolumes, type VolumeRow } from './volumes.repository.ts'

/** SQL expression that equals `mountsKey` of a project's volumes. */
export const volumeIdsOf = (projectId: AnyPgColumn) =>
  sql<string>`coalesce((select string_agg(v.id, ',' order by v.id collate "C") from volumes v where v.project_id = ${projectId} and v.deleted_at is null), '')`

/**
 * Running projects whose containers mount other volumes than they should, without a deployment since their volumes
 * changed: one that failed is not repeated.
 */
export async function listOutdatedMounts(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${projects.id} from ${projects}
    where ${projects.deletedAt} is null and ${projects.status} <> 'STOPPED' and ${projects.liveDeploymentId} is not null
      and ${projects.mountedVolumes} <> ${volumeIdsOf(projects.id)}
      and not exists (
        select from deployments d where d.project_id = ${projects.id} and d.created_at >= coalesce(
          (select max(greatest(v.created_at, v.deleted_at)) from volumes v where v.project_id = ${projects.id}), '-infinity'))`)
  return rows.map(({ id }) => id)
}
