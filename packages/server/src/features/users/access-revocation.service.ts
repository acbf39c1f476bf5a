import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { revokeOtherSessions } from '../sessions/live-sessions.service.ts'

/** Ends all sessions and tokens. Returns the sessions to drop from the cache after the commit. */
export async function revokeAccess(
  deps: Pick<Dependencies, 'events' | 'features' | 'now'>,
  trx: Transaction,
  userId: string
): Promise<string[]> {
  for (const { account } of deps.features) await account?.accessRevoked?.(trx, userId)
  return revokeOtherSessions(deps, trx, userId)
}

export async function changeCredentials(
  deps: Pick<Dependencies, 'features'>,
  trx: Transaction,
  userId: string
): Promise<void> {
  for (const { account } of deps.features) await account?.credentialsChanged?.(trx, userId)
}
