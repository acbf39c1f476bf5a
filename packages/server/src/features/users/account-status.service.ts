import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { evictSessions, revokeOtherSessions } from '../sessions/live-sessions.service.ts'
import { deleteApiTokensOf } from '../api-tokens/api-tokens.repository.ts'
import { type AuditOrigin, recordAudit } from '../audit/audit.repository.ts'
import { countDatabases, markDatabasesDeleting } from '../databases/databases.repository.ts'
import { removeDomainsOf, tryApplyRemoval } from '../domains/domain-removal.ts'
import { countDomains } from '../domains/domains.repository.ts'
import { tryApplyRoutes } from '../domains/routing.service.ts'
import { dropPasswordReset } from '../password-reset/password-resets.repository.ts'
import { listProjectIds } from '../projects/projects.repository.ts'
import { deleteProjectRows } from '../projects/projects.service.ts'
import { resumeProjectsOf, stopProjectsOf } from '../projects/suspension.ts'
import { tryApplyAccount } from '../sftp/sftp-account.ts'
import { markSftpUserRemoved, touchSftpUser } from '../sftp/sftp-users.repository.ts'
import { lockAccount, refuseLastAdmin, requireAllowed } from './account-access.ts'
import { countSubAccounts, deleteRecoveryCodesOf, lockAdmins, updateUser, type UserRow } from './users.repository.ts'

type Deps = Pick<
  Dependencies,
  | 'config'
  | 'db'
  | 'dnsServer'
  | 'hostHelper'
  | 'jobs'
  | 'logger'
  | 'network'
  | 'now'
  | 'proxy'
  | 'secretBox'
  | 'sessions'
>

/** Ends sessions and tokens, and stops the sites; accounts below it go on. */
export async function suspendAccount(deps: Deps, origin: AuditOrigin, actorId: string, id: string): Promise<UserRow> {
  const { user, ended, routes, sftpUserId } = await deps.db.transaction(async (trx) => {
    const target = await lockForRemoval(trx, actorId, id, 'suspend')
    if (target.suspendedAt !== null) return { user: target, ended: [], routes: [], sftpUserId: undefined }
    const user = await updateUser(trx, id, { suspendedAt: deps.now(), suspendedBy: actorId }, deps.now())
    const routes = await stopProjectsOf(trx, id, deps.now())
    const ended = await revokeAccess(deps, trx, id)
    const sftpUserId = await touchSftpUser(trx, id)
    await recordAudit(deps, trx, origin, { action: 'user.suspended', actorId, targetId: id })
    return { user, ended, routes, sftpUserId }
  })
  await evictSessions(deps, ended)
  // The page at once, and files; the containers follow with the reconcile loop.
  await tryApplyRoutes(deps, routes)
  await tryApplyAccount(deps, sftpUserId)
  return user
}

/** Sites that the suspension stopped start again with the next round of the reconcile loop, and SFTP opens. */
export async function resumeAccount(
  deps: Pick<Deps, 'config' | 'db' | 'now'>,
  origin: AuditOrigin,
  actorId: string,
  id: string
): Promise<UserRow> {
  return deps.db.transaction(async (trx) => {
    const { actor, target } = await lockAccount(trx, actorId, id)
    requireAllowed(actor, target, 'resume')
    if (target.suspendedAt === null) return target
    const user = await updateUser(trx, id, { suspendedAt: null, suspendedBy: null }, deps.now())
    await resumeProjectsOf(trx, id, deps.now())
    await touchSftpUser(trx, id)
    await recordAudit(deps, trx, origin, { action: 'user.resumed', actorId, targetId: id })
    return user
  })
}

/**
 * Deletes an account that has no sub-accounts, with its projects if asked. The row stays without anything of the person, since the rows
 * of its deleted projects and deployments name it and its uid is never used again; the e-mail address is free at once.
 */
export async function deleteAccount(
  deps: Deps,
  origin: AuditOrigin,
  actorId: string,
  id: string,
  options: { withProjects: boolean }
): Promise<void> {
  const { ended, removal, sftpUserId } = await deps.db.transaction(async (trx) => {
    const target = await lockForRemoval(trx, actorId, id, 'delete')
    if ((await countSubAccounts(trx, id)) > 0)
      throw new AppError('ACCOUNT_NOT_EMPTY', 'This account has sub-accounts; delete them first')
    const projectIds = await listProjectIds(trx, id)
    if (projectIds.length > 0 && !options.withProjects)
      throw new AppError(
        'ACCOUNT_NOT_EMPTY',
        `This account has ${projectIds.length} projects; delete them first, or with it: ?projects=delete`
      )
    if ((await countDomains(trx, [id])) > 0 && !options.withProjects)
      throw new AppError(
        'ACCOUNT_NOT_EMPTY',
        'This account has domains; delete them first, or with it: ?projects=delete'
      )
    if ((await countDatabases(trx, [id])) > 0 && !options.withProjects)
      throw new AppError(
        'ACCOUNT_NOT_EMPTY',
        'This account has databases; delete them first, or with it: ?projects=delete'
      )
    const removal = await removeDomainsOf(deps, trx, id)
    for (const projectId of projectIds) await deleteProjectRows(deps, trx, projectId)
    await markDatabasesDeleting(trx, id, deps.now())
    const sftpUserId = await markSftpUserRemoved(trx, id, deps.now())
    const ended = await revokeAccess(deps, trx, id)
    await deleteRecoveryCodesOf(trx, id)
    await updateUser(trx, id, { ...shell(id), deletedAt: deps.now() }, deps.now())
    await recordAudit(deps, trx, origin, {
      action: 'user.deleted',
      actorId,
      targetId: id,
      metadata: { email: target.email, role: target.role, projects: projectIds }
    })
    return { ended, removal, sftpUserId }
  })
  await evictSessions(deps, ended)
  await tryApplyRemoval(deps, removal)
  await tryApplyAccount(deps, sftpUserId)
}

/** What a deleted account is left with. Nothing finds it any more; nobody signs in with it. */
const shell = (id: string) => ({
  name: 'Deleted account',
  email: `${id}@deleted.invalid`,
  passwordHash: '',
  role: 'USER' as const,
  permissions: [],
  oversellingEnabled: false,
  totpEnabled: false,
  totpSecret: null,
  totpLastStep: null,
  projectCount: 0
})

/** The ADMINs first, then the account: nobody takes the last one away. */
async function lockForRemoval(
  trx: Transaction,
  actorId: string,
  id: string,
  act: 'suspend' | 'delete'
): Promise<UserRow> {
  await lockAdmins(trx)
  const { actor, target } = await lockAccount(trx, actorId, id)
  if (actor.role === 'ADMIN') await refuseLastAdmin(trx, target)
  requireAllowed(actor, target, act)
  return target
}

/** Resolves with the sessions to forget after the commit. */
async function revokeAccess(deps: Pick<Deps, 'now'>, trx: Transaction, id: string): Promise<string[]> {
  await deleteApiTokensOf(trx, id)
  await dropPasswordReset(trx, id)
  return revokeOtherSessions(deps, trx, id)
}
