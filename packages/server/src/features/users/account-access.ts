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

/** The number that an account's files and containers have on the machine; also of a deleted account. */
export async function findUid(db: Queryable, id: string): Promise<number | undefined> {
  return (await findAnyUser(db, id))?.uid
}

// What other features may ask of the rows.
export {
  anyUserExists,
  countSubAccounts,
  findAccountsByText,
  findUser,
  findUserByEmail,
  insertUser,
  lockFirstUser,
  lockUser,
  replacePasswordHash,
  updatePasswordHash,
  type UserRow
} from './users.repository.ts'

/** The account if the actor may see it: absent is 404, somebody else's is 403, as with projects. */
export async function getVisibleAccount(db: Queryable, actorId: string, id: string): Promise<UserRow> {
  const actor = await getActor(db, actorId)
  const target = requireAccount(await findUser(db, id))
  await requireAllowed(db, actor, target, 'see')
  return target
}

/** The actor, read in the transaction of the operation and not only at the route policy, and the account, locked. */
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
    actor.id === target.id ? 'You cannot do this to your own account' : 'This account is not below yours'
  )
}

/** The accounts above this one, the nearest first, as far as an ADMIN. */
async function listAbove(db: Queryable, id: string): Promise<string[]> {
  const nearestFirst = (await listAncestors(db, id)).toReversed()
  const admin = nearestFirst.findIndex(({ role }) => role === 'ADMIN')
  return nearestFirst.slice(0, admin === -1 ? undefined : admin).map((account) => account.id)
}

/** For what takes an ADMIN away; the caller holds `lockAdmins`. */
export async function refuseLastAdmin(trx: Transaction, target: UserRow): Promise<void> {
  if (target.role !== 'ADMIN' || target.suspendedAt !== null || (await otherActiveAdminExists(trx, target.id))) return
  throw new AppError('LAST_ADMIN', 'This is the last administrator; make another one first')
}

/** The ADMINs first, then the account: nobody takes the last one away. */
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

/** The signed-in account; one that was suspended or deleted since the route policy may not go on. */
export async function getActor(db: Queryable, id: string): Promise<UserRow> {
  const actor = await findUser(db, id)
  if (!actor) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  refuseSuspended(actor)
  return actor
}

/** Who has this session. */
export async function getCurrentUser(deps: Pick<Dependencies, 'db'>, session: { userId: string }): Promise<UserRow> {
  const user = await findUser(deps.db, session.userId)
  if (!user) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  return user
}

export function refuseSuspended(user: Pick<UserRow, 'suspendedAt'>): void {
  if (user.suspendedAt !== null)
    throw new AppError('ACCOUNT_SUSPENDED', 'This account is suspended; ask who runs the panel')
}

function requireAccount(user: UserRow | undefined): UserRow {
  if (!user) throw new AppError('NOT_FOUND', 'Account not found')
  return user
}
