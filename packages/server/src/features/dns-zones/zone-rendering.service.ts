import { threadScript } from '../../infra/worker-thread/worker-thread.ts'
import { createThreadPool } from '../../concurrency/thread-pool.ts'
import { renderRecords, type Zone } from './zone.render.ts'

/** A zone whose records are the text of a JSON array. */
export type ZoneText = Omit<Zone, 'records'> & { records: string }

export type RenderedZone = { text: string } | { problem: string }

/** Some three hundred records: a few milliseconds, which a thread would not save. */
const smallCharacters = 64 * 1024

const largeZones = createThreadPool<ZoneText, RenderedZone>(threadScript('./zone-render.worker', import.meta.url), {
  what: 'renderings of this zone',
  answerWithinMs: 30_000
})

/** The text of a zone's file, or why there is none. */
export const renderZoneText = async (zone: ZoneText): Promise<RenderedZone> =>
  zone.records.length < smallCharacters ? renderRecords(zone) : largeZones.run(zone.name, zone)
