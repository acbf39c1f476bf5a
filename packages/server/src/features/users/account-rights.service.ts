import type { ChangeQuotas } from '@panel/contract/accounts'
import type { Permission, Role } from '@panel/contract/users'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { Session } from '../../http/session.ts'
import { accessChanged } from '../sessions/live-sessions.service.ts'
import { requireFreshProof } from '../sessions/fresh-proof.policy.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { lockAccount, refuseLastAdmin, requireAllowed } from './account-access.ts'
import { changed, defined } from './changed-values.policy.ts'
import { sharedQuotas } from '@panel/contract/accounts'
import { requireAllocation, requireWithinParent } from './allocation.service.ts'
import { countSubAccounts, findUser, lockAdmins, lockUser, updateUser, type UserRow } from './users.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'sessions' | 'now'>

/** Sessions and tokens stay valid: role and permissions are read on every request. */
export async function changeRole(
  deps: Deps & Pick<Dependencies, 'events'>,
  origin: AuditOrigin,
  session: Session,
  id: string,
  role: Role
): Promise<UserRow> {
  const actorId = session.userId
  return deps.db.transaction(async (trx) => {
    await lockAdmins(trx)
    const { actor, target } = await lockAccount(trx, actorId, id)
    requireAdmin(actor)
    if (target.role === role) return target
    if (role !== 'USER') requireFreshProof(session, deps.now())
    await refuseLastAdmin(trx, target)
    // A USER without the permission has no pool that would bound the sub-accounts.
    if (target.role === 'RESELLER' && role === 'USER' && (await countSubAccounts(trx, id)) > 0)
      throw new AppError(
        'ACCOUNT_NOT_EMPTY',
        'This reseller has sub-accounts. Delete them first, or suspend the reseller.'
      )
    const user = await updateUser(trx, id, { role, oversellingEnabled: false }, deps.now())
    await accessChanged(deps, trx, id)
    await recordAudit(deps, trx, origin, {
      action: 'user.role_changed',
      actorId,
      targetId: id,
      metadata: { before: target.role, after: role }
    })
    return user
  })
}

export async function changePermissions(
  deps: Deps,
  origin: AuditOrigin,
  actorId: string,
  id: string,
  permissions: readonly Permission[]
): Promise<UserRow> {
  return deps.db.transaction(async (trx) => {
    const { actor, target } = await lockAccount(trx, actorId, id)
    requireAdmin(actor)
    const after = [...new Set(permissions)]
    const user = await updateUser(trx, id, { permissions: after }, deps.now())
    await recordAudit(deps, trx, origin, {
      action: 'user.permissions_changed',
      actorId,
      targetId: id,
      metadata: { before: target.permissions, after }
    })
    return user
  })
}

/** A limit may be set below current usage or allocation: nothing is removed, but nothing can be added until it fits. */
export async function changeQuotas(
  deps: Deps,
  origin: AuditOrigin,
  actorId: string,
  id: string,
  input: ChangeQuotas
): Promise<UserRow> {
  return deps.db.transaction(async (trx) => {
    // Lock order: parent first. The parent never changes.
    const parentId = (await findUser(trx, id))?.parentId ?? null
    const parent = parentId === null ? undefined : await lockUser(trx, parentId)
    const { actor, target } = await lockAccount(trx, actorId, id)
    await requireAllowed(trx, actor, target, 'changeQuotas')
    if (input.oversellingEnabled !== undefined) {
      if (actor.role !== 'ADMIN')
        throw new AppError('FORBIDDEN', 'Only an administrator can enable or disable overselling')
      if (target.role !== 'RESELLER') throw new AppError('INVALID_TARGET', 'Only a reseller can oversell')
    }
    const given = defined(input)
    if (parent && sharedQuotas.some((quota) => given[quota] !== undefined))
      await requireAllocation(trx, parent, id, { ...target, ...given })
    const values = changed(target, given)
    if (parent) requireWithinParent(parent, values)
    if (Object.keys(values).length === 0) return target
    const user = await updateUser(trx, id, values, deps.now())
    const before = Object.fromEntries(Object.keys(values).map((key) => [key, target[key as keyof ChangeQuotas]]))
    await recordAudit(deps, trx, origin, {
      action: 'user.quotas_changed',
      actorId,
      targetId: id,
      metadata: { before, after: values }
    })
    return user
  })
}

/** The route policy checked this too; here it is checked under the locks. */
function requireAdmin(actor: UserRow): void {
  if (actor.role !== 'ADMIN')
    throw new AppError('FORBIDDEN_ROLE', 'Your account does not have permission. Ask an administrator.')
}
