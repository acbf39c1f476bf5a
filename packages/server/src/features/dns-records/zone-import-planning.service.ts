import { type ImportPreview, type ImportZone, maxZoneFileBytes, type ZoneLine } from '@panel/contract/dns-records'
import { AppError } from '../../errors.ts'
import { threadScript, WorkerThreadError } from '../../infra/worker-thread/worker-thread.ts'
import { createThreadPool } from '../../concurrency/thread-pool.ts'

export interface ZoneImportRequest {
  content: string
  strategy: ImportZone['strategy']
  /** Somebody wants to see it before it is done. */
  isPreview: boolean
  nameservers: readonly string[]
  domain: { id: string; hostname: string }
  zoneName: string
  /** Everything that stands in the zone: StoredRecords, as the text of a JSON array. */
  records: string
}

export interface PlannedImport {
  preview: ImportPreview | null
  /** Ids. */
  removed: string[]
  /** Records with their ids, as the text of a JSON array. */
  inserted: string
  /** Of those inserted. */
  ids: string[]
  /** As many as a person may read. */
  skipped: ZoneLine[]
  skippedCount: number
  /** As many as a person may read. */
  errors: string[]
  errorCount: number
}

const planning = createThreadPool<ZoneImportRequest, PlannedImport>(
  threadScript('./zone-import.worker', import.meta.url),
  { what: 'zone imports', answerWithinMs: 15_000 }
)

/** What an import changes in a zone as it stands. Rejects with VALIDATION_ERROR what is too large or takes too long. */
export async function planZoneImport(userId: string, request: ZoneImportRequest): Promise<PlannedImport> {
  if (Buffer.byteLength(request.content) > maxZoneFileBytes)
    throw new AppError('VALIDATION_ERROR', `The zone file is larger than ${maxZoneFileBytes / 1024} KiB`)
  return planning.run(userId, request).catch((cause: unknown) => {
    throw cause instanceof WorkerThreadError
      ? new AppError('VALIDATION_ERROR', 'The zone file could not be read: it is too complex', { cause })
      : cause
  })
}
