import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { addCapacity, type Capacity, type CapacityScope, findExceeded, roomIn } from './capacity.policy.ts'
import { listTree, type UserRow } from './users.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'features'>

/** Memory and CPU of all containers, as configured: also of what is stopped. */
export async function sumCapacity({ config, features }: Deps, db: Queryable, scope: CapacityScope): Promise<Capacity> {
  const parts: Capacity[] = []
  // One after the other, because a transaction has one connection.
  for (const { capacity } of features) if (capacity) parts.push(await capacity(config, db, scope))
  return addCapacity(parts)
}

export const sumTreeCapacity = async (deps: Deps, db: Queryable, id: string): Promise<Capacity> =>
  sumCapacity(deps, db, { userIds: await listTree(db, id) })

/**
 * Rejects with QUOTA_EXCEEDED if what was just written needs more than before and its account, or a reseller above it, has
 * no room for that. `line` is locked (`lockWithResellers`): the resellers above the account, and the account last.
 */
export async function requireCapacity(
  deps: Deps,
  trx: Transaction,
  line: readonly UserRow[],
  change: { before: Capacity; after: Capacity }
): Promise<void> {
  for (const account of line.filter(isLimited)) {
    const used = await sumTreeCapacity(deps, trx, account.id)
    const exceeded = findExceeded(account, used, change)
    if (!exceeded) continue
    const { quota, part, noun } = exceeded
    throw new AppError(
      'QUOTA_EXCEEDED',
      `${account === line.at(-1) ? 'Your account has' : 'The accounts of your reseller together have'} a limit of ${account[quota]} ${noun} ` +
        `for the containers of all sites and workers. With this, they would have ${used[part]}. ` +
        'Choose a smaller size or fewer instances, scale others down, or ask for a higher limit.'
    )
  }
}

/** What the account and the resellers above it have left. `line` is locked. */
export async function readRoom(deps: Deps, trx: Transaction, line: readonly UserRow[]): Promise<Capacity> {
  const accounts = []
  for (const limits of line.filter(isLimited))
    accounts.push({ limits, used: await sumTreeCapacity(deps, trx, limits.id) })
  return roomIn(accounts)
}

const isLimited = ({ maxMemoryMb, maxCpus }: UserRow): boolean => maxMemoryMb !== null || maxCpus !== null
