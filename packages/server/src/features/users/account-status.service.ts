import type { Dependencies } from '../../dependencies.ts'
import { evictSessions } from '../sessions/live-sessions.service.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { accountChanged, runEffects } from '../hooks.ts'
import { lockAccount, lockForRemoval, requireAllowed } from './account-access.ts'
import { revokeAccess } from './access-revocation.service.ts'
import { updateUser, type UserRow } from './users.repository.ts'

export async function suspendAccount(
  deps: Dependencies,
  origin: AuditOrigin,
  actorId: string,
  id: string
): Promise<UserRow> {
  const { user, ended, effects } = await deps.db.transaction(async (trx) => {
    const target = await lockForRemoval(trx, actorId, id, 'suspend')
    if (target.suspendedAt !== null) return { user: target, ended: [], effects: [] }
    const user = await updateUser(trx, id, { suspendedAt: deps.now(), suspendedBy: actorId }, deps.now())
    const effects = await accountChanged(deps, trx, 'suspended', id)
    const ended = await revokeAccess(deps, trx, id)
    await recordAudit(deps, trx, origin, { action: 'user.suspended', actorId, targetId: id })
    return { user, ended, effects }
  })
  await evictSessions(deps, ended)
  await runEffects(deps, effects)
  return user
}

export async function resumeAccount(
  deps: Dependencies,
  origin: AuditOrigin,
  actorId: string,
  id: string
): Promise<UserRow> {
  const { user, effects } = await deps.db.transaction(async (trx) => {
    const { actor, target } = await lockAccount(trx, actorId, id)
    await requireAllowed(trx, actor, target, 'resume')
    if (target.suspendedAt === null) return { user: target, effects: [] }
    const user = await updateUser(trx, id, { suspendedAt: null, suspendedBy: null }, deps.now())
    const effects = await accountChanged(deps, trx, 'resumed', id)
    await recordAudit(deps, trx, origin, { action: 'user.resumed', actorId, targetId: id })
    return { user, effects }
  })
  await runEffects(deps, effects)
  return user
}
