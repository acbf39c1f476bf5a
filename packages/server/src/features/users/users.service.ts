import { createHash, randomBytes } from 'node:crypto'
import type { CreateUser, ListedUser, UpdateUser, UserQuery } from '@panel/contract/accounts'
import { type Pagination, pagination } from '@panel/contract/common'
import type { Role } from '@panel/contract/users'
import type { Queryable } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { Session } from '../../http/session.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { requireFreshProof } from '../sessions/fresh-proof.policy.ts'
import { hashPassword } from './password.service.ts'
import { managesAccounts, mayGrantRole } from './account-access.policy.ts'
import { getActor, lockAccount, refuseSuspended, requireAllowed } from './account-access.ts'
import { changed, defined } from './changed-values.policy.ts'
import { changeCredentials } from './access-revocation.service.ts'
import { defaultQuotas, requireAllocation, requireWithinParent } from './allocation.service.ts'
import {
  countSubAccounts,
  findUser,
  findUserByEmail,
  insertUser,
  isEmailConflict,
  lockUser,
  searchUsers,
  updateUser,
  type UserRow
} from './users.repository.ts'
import { listUsage } from './usage.service.ts'
import { userView } from './user-view.ts'

type Quotas = ReturnType<typeof defaultQuotas>
type Deps = Pick<Dependencies, 'authLimiter' | 'config' | 'db' | 'features' | 'jobs' | 'mailer' | 'now'>

/** An ADMIN sees all accounts, others their own and its descendants. */
export async function listAccounts(
  deps: Pick<Deps, 'db' | 'features'>,
  actorId: string,
  query: UserQuery
): Promise<{ users: ListedUser[]; pagination: Pagination }> {
  const actor = await getActor(deps.db, actorId)
  const onlyOf = actor.role === 'ADMIN' ? undefined : { id: actorId, withAllBelow: managesAccounts(actor) }
  const { rows, total } = await searchUsers(deps.db, query, onlyOf)
  const usage = await listUsage(deps, rows)
  return {
    users: rows.map((row, at) => ({ ...userView(row), usage: usage[at]! })),
    pagination: pagination(query.page, query.limit, total)
  }
}

/** Counts against the creator's maxSubAccounts, and its quotas against the creator's allocation. */
export async function createAccount(
  deps: Deps,
  origin: AuditOrigin,
  session: Session,
  input: CreateUser
): Promise<UserRow> {
  const actorId = session.userId
  const { name, email, password, role, ...quotas } = input
  const given = defined(quotas)
  // Checked before the password is hashed, which is expensive, and again under the lock.
  await requireCreation(deps, deps.db, await findUser(deps.db, actorId), session, role, given)
  if (await findUserByEmail(deps.db, email)) throw emailExists()
  const isInvited = password === undefined
  if (isInvited && !deps.mailer.isConfigured())
    throw new AppError('MAIL_UNAVAILABLE', 'Invitations need an SMTP relay. Set a password instead.', {
      remedy: 'SET_MAILER'
    })
  if (isInvited) await limitInvitations(deps, actorId)
  const passwordHash = await hashPassword(deps, actorId, password ?? passwordOfNobody())
  return deps.db.transaction(async (trx) => {
    const creator = await lockUser(trx, actorId)
    const allowed = await requireCreation(deps, trx, creator, session, role, given)
    const values = { id: newId(), name, email, passwordHash, role, parentId: actorId, ...allowed }
    const user = await insertUser(trx, { ...values, createdAt: deps.now(), updatedAt: deps.now() })
    if (!user) throw emailExists()
    await recordAudit(deps, trx, origin, {
      action: 'user.created',
      actorId,
      targetId: user.id,
      metadata: { role, ...(isInvited && { invited: true }), ...allowed }
    })
    if (isInvited)
      await deps.jobs.enqueue(trx, 'accounts.password-reset', { email, invitation: true }, { key: mailKey(email) })
    return user
  })
}

export async function updateAccount(
  deps: Deps,
  origin: AuditOrigin,
  session: Session,
  id: string,
  input: UpdateUser
): Promise<UserRow> {
  const actorId = session.userId
  return deps.db
    .transaction(async (trx) => {
      const { actor, target } = await lockAccount(trx, actorId, id)
      await requireAllowed(trx, actor, target, 'see')
      const values = changed(target, input)
      if (values.name !== undefined) await requireAllowed(trx, actor, target, 'rename')
      if (values.email !== undefined) {
        await requireAllowed(trx, actor, target, 'changeEmail')
        // Control of the address allows a password reset.
        requireFreshProof(session, deps.now())
        await changeCredentials(deps, trx, id)
      }
      if (Object.keys(values).length === 0) return target
      const user = await updateUser(trx, id, values, deps.now())
      await recordAudit(deps, trx, origin, { action: 'user.updated', actorId, targetId: id, metadata: values })
      return user
    })
    .catch((error: unknown) => {
      throw isEmailConflict(error) ? emailExists() : error
    })
}

/** Same key as for password resets: one pending mail per address. */
const mailKey = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('hex')

/** Invitations go to arbitrary addresses, and deleting accounts would make room for more. */
async function limitInvitations({ authLimiter }: Deps, actorId: string): Promise<void> {
  const waitSeconds = await authLimiter.hit(`invitation|${actorId}`)
  if (waitSeconds !== undefined)
    throw new AppError(
      'RATE_LIMITED',
      `Too many invitations. Try again in ${waitSeconds} seconds, or set a password.`,
      {
        retryAfterSeconds: waitSeconds
      }
    )
}

/** Random placeholder until the user sets a password. */
const passwordOfNobody = () => randomBytes(32).toString('base64url')

/** Checks that the creator may add an account of this role with these quotas, and returns its quotas. */
async function requireCreation(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  db: Queryable,
  creator: UserRow | undefined,
  session: Session,
  role: Role,
  given: Partial<Quotas>
): Promise<Quotas> {
  if (!creator) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  refuseSuspended(creator)
  if (!managesAccounts(creator))
    throw new AppError('FORBIDDEN_ROLE', 'Your account does not have permission to create accounts')
  if (!mayGrantRole(creator, role)) throw new AppError('FORBIDDEN', `Only an administrator can create a ${role}`)
  if (role !== 'USER') requireFreshProof(session, now())
  await requireRoomForSubAccount(db, creator)
  const quotas = { ...defaultQuotas(config, creator), ...given }
  await requireAllocation(db, creator, undefined, quotas)
  requireWithinParent(creator, quotas)
  return quotas
}

async function requireRoomForSubAccount(db: Queryable, creator: UserRow): Promise<void> {
  const { maxSubAccounts } = creator
  if (maxSubAccounts !== null && (await countSubAccounts(db, creator.id)) >= maxSubAccounts)
    throw new AppError(
      'QUOTA_EXCEEDED',
      `Your account has reached its limit of ${maxSubAccounts} sub-accounts. Ask for a higher limit.`
    )
}

const emailExists = () => new AppError('EMAIL_EXISTS', 'An account with this email address already exists')
