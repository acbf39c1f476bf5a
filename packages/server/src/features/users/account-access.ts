import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AccountOperation, mayOperateOn } from './account-access.policy.ts'
import {
  findAnyUser,
  findUser,
  listAncestors,
  lockAdmins,
  lockUser,
  otherActiveAdminExists,
  type UserRow
} from './users.repository.ts'

/** Unix user ID of the account's files and containers, also of a deleted account. */
export async function findUid(db: Queryable, id: string): Promise<number | undefined> {
  return (await findAnyUser(db, id))?.uid
}

// Part of the repository that other features may use.
export {
  anyUserExists,
  countSubAccounts,
  findAccountsByText,
  findUser,
  findUserByEmail,
  insertUser,
  lockFirstUser,
  lockUser,
  lockWithResellers,
  replacePasswordHash,
  updatePasswordHash,
  type UserRow
} from './users.repository.ts'

/** The account if the actor may see it: 404 if it does not exist, 403 if it belongs to another user. */
export async function getVisibleAccount(db: Queryable, actorId: string, id: string): Promise<UserRow> {
  const actor = await getActor(db, actorId)
  const target = requireAccount(await findUser(db, id))
  await requireAllowed(db, actor, target, 'see')
  return target
}

/** The actor, read again after the route policy, and the account, locked. */
export async function lockAccount(
  trx: Transaction,
  actorId: string,
  id: string
): Promise<{ actor: UserRow; target: UserRow }> {
  const target = requireAccount(await lockUser(trx, id))
  return { actor: await getActor(trx, actorId), target }
}

export async function requireAllowed(
  db: Queryable,
  actor: UserRow,
  target: UserRow,
  operation: AccountOperation
): Promise<void> {
  const isDecidedAlone = actor.role === 'ADMIN' || actor.id === target.id
  if (mayOperateOn(actor, target, operation, isDecidedAlone ? [] : await listAbove(db, target.id))) return
  throw new AppError(
    'FORBIDDEN',
    actor.id === target.id ? 'You cannot do this to your own account' : 'This account is not one of your sub-accounts'
  )
}

/** Ancestors below the nearest ADMIN, nearest first. */
async function listAbove(db: Queryable, id: string): Promise<string[]> {
  const nearestFirst = (await listAncestors(db, id)).toReversed()
  const admin = nearestFirst.findIndex(({ role }) => role === 'ADMIN')
  return nearestFirst.slice(0, admin === -1 ? undefined : admin).map((account) => account.id)
}

/** For operations that remove an ADMIN; the caller must hold `lockAdmins`. */
export async function refuseLastAdmin(trx: Transaction, target: UserRow): Promise<void> {
  if (target.role !== 'ADMIN' || target.suspendedAt !== null || (await otherActiveAdminExists(trx, target.id))) return
  throw new AppError('LAST_ADMIN', 'This is the last administrator. Make another user administrator first.')
}

/** Locks the ADMINs before the account, so that two requests cannot remove the last two ADMINs. */
export async function lockForRemoval(
  trx: Transaction,
  actorId: string,
  id: string,
  operation: 'suspend' | 'delete'
): Promise<UserRow> {
  await lockAdmins(trx)
  const { actor, target } = await lockAccount(trx, actorId, id)
  if (actor.role === 'ADMIN') await refuseLastAdmin(trx, target)
  await requireAllowed(trx, actor, target, operation)
  return target
}

/** The signed-in account, unless it was suspended or deleted since the route policy ran. */
export async function getActor(db: Queryable, id: string): Promise<UserRow> {
  const actor = await findUser(db, id)
  if (!actor) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  refuseSuspended(actor)
  return actor
}

export async function getCurrentUser(deps: Pick<Dependencies, 'db'>, session: { userId: string }): Promise<UserRow> {
  const user = await findUser(deps.db, session.userId)
  if (!user) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  return user
}

export function refuseSuspended(user: Pick<UserRow, 'suspendedAt'>): void {
  if (user.suspendedAt !== null)
    throw new AppError('ACCOUNT_SUSPENDED', 'This account is suspended. Ask an administrator.')
}

function requireAccount(user: UserRow | undefined): UserRow {
  if (!user) throw new AppError('NOT_FOUND', 'Account not found')
  return user
}
