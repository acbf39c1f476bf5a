import type { Queryable } from '../../db/database.ts'
import { findSetting } from '../../db/settings.ts'
import type { Dependencies } from '../../dependencies.ts'
import { listNodes } from './nodes.repository.ts'
import { statusOf } from './placement.service.ts'

/** Key of the setting with the addresses that zones name. */
export const publishedEdgesKey = 'published_edges'

/** Public addresses of added machines that DNS records name. It changes after a machine did (features/dns-zones). */
export async function listPublishedEdges(db: Queryable): Promise<string[]> {
  return ((await findSetting(db, publishedEdgesKey)) ?? '').split(' ').filter((address) => address !== '')
}

/** Those that it should be: of edges that take new work and serve. */
export async function listServingEdges({ db, nodeId }: Pick<Dependencies, 'db' | 'nodeId'>): Promise<string[]> {
  const serving = (await listNodes(db)).filter(
    (row) =>
      row.id !== nodeId &&
      row.roles.includes('EDGE') &&
      statusOf({ nodeId }, row) === 'ACTIVE' &&
      row.problems.every(({ code }) => code !== 'PROXY')
  )
  return [...new Set(serving.flatMap(({ publicIp }) => publicIp ?? []))].toSorted()
}
