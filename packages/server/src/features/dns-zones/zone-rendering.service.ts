import { threadScript } from '../../infra/worker-thread/worker-thread.ts'
import { createThreadPool } from '../../concurrency/thread-pool.ts'
import { renderRecords, type Zone } from './zone.render.ts'

export type ZoneText = Omit<Zone, 'records'> & { records: string }

export type RenderedZone = { text: string } | { problem: string }

/** About 300 records: a few milliseconds, not worth a thread. */
const smallCharacters = 64 * 1024

const largeZones = createThreadPool<ZoneText, RenderedZone>(threadScript('./zone-render.worker', import.meta.url), {
  what: 'zone renderings',
  answerWithinMs: 30_000
})

export const renderZoneText = async (zone: ZoneText): Promise<RenderedZone> =>
  zone.records.length < smallCharacters ? renderRecords(zone) : largeZones.run(zone.name, zone)
