import { findSetting, saveSetting } from '../../db/settings.ts'
import type { Dependencies } from '../../dependencies.ts'
import { listServingEdges, publishedEdgesKey } from '../nodes/published-edges.service.ts'
import { listZoneIds, markZoneChanged } from './zones.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'jobs' | 'nodeId' | 'now'>

const batch = 200

/** Publishes the addresses of edges that serve, or no longer do, in all zones. */
export async function publishEdges(deps: Deps): Promise<void> {
  const wanted = (await listServingEdges(deps)).join(' ')
  if (((await findSetting(deps.db, publishedEdgesKey)) ?? '') === wanted) return
  await deps.db.transaction(async (trx) => {
    await saveSetting(trx, publishedEdgesKey, wanted)
    await deps.jobs.enqueue(trx, 'zones.edges', {}, { key: 'next' })
  })
}

/** Each zone in its own transaction, because thousands would hold locks for long. A second run changes nothing wrong. */
export async function changeAllZones({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  for (let last = ''; ;) {
    const ids = await listZoneIds(db, last, batch)
    for (const id of ids) await db.transaction((trx) => markZoneChanged(trx, id, now()))
    if (ids.length < batch) return
    last = ids.at(-1)!
  }
}
