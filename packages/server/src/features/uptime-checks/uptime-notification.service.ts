import type { UptimeState } from '@panel/contract/uptime-checks'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Notifies the account's live clients of a changed state. */
export const tellState = (
  { events }: Pick<Dependencies, 'events'>,
  trx: Transaction,
  { userId, projectId, id }: { userId: string; projectId: string; id: string },
  state: UptimeState
): Promise<void> => events.publish(trx, { to: { userId }, name: 'uptime', data: { projectId, checkId: id, state } })
