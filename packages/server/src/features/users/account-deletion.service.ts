import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { evictSessions } from '../sessions/live-sessions.service.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { accountChanged, runEffects } from '../hooks.ts'
import { lockForRemoval } from './account-access.ts'
import { revokeAccess } from './access-revocation.service.ts'
import { tombstone } from './tombstone.policy.ts'
import { countSubAccounts, updateUser } from './users.repository.ts'

/**
 * Deletes an account without sub-accounts, optionally with its projects, in one commit. The row stays as a tombstone
 * without personal data, because other rows refer to it and its uid must not be reused. The email address is free at once.
 */
export async function deleteAccount(
  deps: Dependencies,
  origin: AuditOrigin,
  actorId: string,
  id: string,
  options: { withProjects: boolean }
): Promise<void> {
  const { ended, effects } = await deps.db.transaction(async (trx) => {
    const { email, role } = await lockForRemoval(trx, actorId, id, 'delete')
    if ((await countSubAccounts(trx, id)) > 0)
      throw new AppError('ACCOUNT_NOT_EMPTY', 'This account has sub-accounts. Delete them first.')
    const holdings = await readHoldings(deps, trx, id, options)
    const effects = await accountChanged(deps, trx, 'deleted', id)
    const ended = await revokeAccess(deps, trx, id)
    await updateUser(trx, id, { ...tombstone(id), deletedAt: deps.now() }, deps.now())
    const metadata = { email, role, ...holdings }
    await recordAudit(deps, trx, origin, { action: 'user.deleted', actorId, targetId: id, metadata })
    return { ended, effects }
  })
  await evictSessions(deps, ended)
  await runEffects(deps, effects)
}

/** What the account owns, for the audit. Throws if it must not be deleted along. */
async function readHoldings(
  deps: Pick<Dependencies, 'features'>,
  trx: Transaction,
  id: string,
  { withProjects }: { withProjects: boolean }
): Promise<object> {
  let audit = {}
  for (const { account } of deps.features) {
    const holdings = await account?.holdings?.(trx, id)
    if (holdings?.inWords !== undefined && !withProjects)
      throw new AppError(
        'ACCOUNT_NOT_EMPTY',
        `This account has ${holdings.inWords}. Delete them first, or delete them with the account (?projects=delete).`
      )
    audit = { ...audit, ...holdings?.audit }
  }
  return audit
}
