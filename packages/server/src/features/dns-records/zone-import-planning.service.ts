import { type ImportPreview, type ImportZone, maxZoneFileBytes, type ZoneLine } from '@panel/contract/dns-records'
import { AppError } from '../../errors.ts'
import { threadScript, WorkerThreadError } from '../../infra/worker-thread/worker-thread.ts'
import { createThreadPool } from '../../concurrency/thread-pool.ts'

export interface ZoneImportRequest {
  content: string
  strategy: ImportZone['strategy']
  isPreview: boolean
  nameservers: readonly string[]
  domain: { id: string; hostname: string }
  zoneName: string
  records: string
}

export interface PlannedImport {
  preview: ImportPreview | null
  removed: string[]
  inserted: string
  ids: string[]
  skipped: ZoneLine[]
  skippedCount: number
  errors: string[]
  errorCount: number
}

const planning = createThreadPool<ZoneImportRequest, PlannedImport>(
  threadScript('./zone-import.worker', import.meta.url),
  { what: 'zone imports', answerWithinMs: 15_000 }
)

/** Plans an import in a worker thread. Rejects with VALIDATION_ERROR if the file is too large or takes too long. */
export async function planZoneImport(userId: string, request: ZoneImportRequest): Promise<PlannedImport> {
  if (Buffer.byteLength(request.content) > maxZoneFileBytes)
    throw new AppError('VALIDATION_ERROR', `The zone file exceeds the limit of ${maxZoneFileBytes / 1024} KiB`)
  return planning.run(userId, request).catch((cause: unknown) => {
    throw cause instanceof WorkerThreadError
      ? new AppError('VALIDATION_ERROR', 'The zone file is too complex to parse. Split it into smaller files.', {
          cause
        })
      : cause
  })
}
