// In a thread: parsing 20,000 lines takes a tenth of a second of CPU time.
import { maxScannedLines } from '@panel/contract/delivery-log'
import { serveRequests } from '../worker-thread/serve-requests.mjs'
import type { DeliveryCounts, DeliverySearch, FoundDeliveries } from './delivery-log.ts'
import { readDeliveries } from './delivery-lines.ts'
import { countDeliveries, findDeliveries } from './delivery-search.ts'
import { readLastLines } from './last-lines.ts'

export interface DeliveryLogRequest {
  path: string
  wanted: DeliverySearch | Date
  now: Date
}
export type DeliveryLogAnswer = FoundDeliveries | DeliveryCounts

const maxBytes = 16 * 2 ** 20

serveRequests(({ path, wanted, now }: DeliveryLogRequest): { answer: DeliveryLogAnswer } => {
  const lines = readLastLines(path, { lines: maxScannedLines, bytes: maxBytes })
  const deliveries = readDeliveries(lines, now)
  return {
    answer:
      wanted instanceof Date
        ? countDeliveries(deliveries, wanted)
        : { ...findDeliveries(deliveries, wanted), scannedLines: lines.length }
  }
})
