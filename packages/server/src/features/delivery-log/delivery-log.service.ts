import { pagination } from '@panel/contract/common'
import { type DeliveryLog, DeliveryQuery } from '@panel/contract/delivery-log'
import type { Dependencies } from '../../dependencies.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { deliveryView } from './delivery-view.ts'

export const searchDeliveryLog = workerVerb(
  'delivery-log.search',
  [DeliveryQuery],
  async ({ deliveryLog }: Pick<Dependencies, 'deliveryLog'>, query: DeliveryQuery): Promise<DeliveryLog> => {
    const { page, limit, ...wanted } = query
    const found = await deliveryLog.search({ ...wanted, offset: (page - 1) * limit, limit })
    return {
      deliveries: found.entries.map(deliveryView),
      scannedLines: found.scannedLines,
      pagination: pagination(page, limit, found.total)
    }
  }
)
