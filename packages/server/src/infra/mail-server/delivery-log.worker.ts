// Reading 20,000 lines and understanding them takes a tenth of a second of a processor.
import { maxScannedLines } from '@panel/contract/delivery-log'
import { serveRequests } from '../worker-thread/serve-requests.mjs'
import type { DeliverySearch, FoundDeliveries } from './delivery-log.ts'
import { readDeliveries } from './delivery-lines.ts'
import { findDeliveries } from './delivery-search.ts'
import { readLastLines } from './last-lines.ts'

export interface DeliveryLogRequest {
  path: string
  search: DeliverySearch
  now: Date
}

/** Four times what so many lines usually have. */
const maxBytes = 16 * 2 ** 20

serveRequests(({ path, search, now }: DeliveryLogRequest): { answer: FoundDeliveries } => {
  const lines = readLastLines(path, { lines: maxScannedLines, bytes: maxBytes })
  return { answer: { ...findDeliveries(readDeliveries(lines, now), search), scannedLines: lines.length } }
})
