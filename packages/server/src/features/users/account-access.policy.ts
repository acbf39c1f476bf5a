import type { Permission, Role } from '@panel/contract/users'

/** What decides who may touch whom. */
export interface Account {
  id: string
  role: Role
  permissions: readonly Permission[]
  suspendedBy: string | null
}

/** May have accounts below it. */
export function managesAccounts(actor: Pick<Account, 'role' | 'permissions'>): boolean {
  return actor.role === 'ADMIN' || actor.role === 'RESELLER' || actor.permissions.includes('canCreateSubAccounts')
}

/** The roles that an account may give to one that it creates. */
export function mayGrantRole(actor: Pick<Account, 'role'>, role: Role): boolean {
  return role === 'USER' || actor.role === 'ADMIN'
}

/**
 * What is done to an account, each with what it takes of one above it, on whatever level; `between` are those from just above the account
 * to the one that acts. An ADMIN may do each to anybody.
 */
const byParent = {
  see: () => true,
  rename: () => true,
  // Who holds the address can reset the password: it must not lead to rights that the parent itself has not.
  changeEmail: (parent, target) =>
    (target.role === 'USER' || target.role === parent.role) &&
    target.permissions.every((permission) => parent.permissions.includes(permission)),
  changeQuotas: (parent) => parent.role === 'RESELLER',
  suspend: () => true,
  // What an ADMIN suspended, only an ADMIN lets back in; and what an account further above has, none below that.
  resume: (_parent, target, between) => target.suspendedBy === null || between.includes(target.suspendedBy),
  delete: () => true
} satisfies Record<string, (parent: Account, target: Account, between: readonly string[]) => boolean>

export type AccountOperation = keyof typeof byParent

/**
 * `above`: the accounts above the target, the nearest first, as far as the first ADMIN, whom nobody reaches past. Above somebody else's
 * account there is only an ADMIN; above an ADMIN too; and nobody locks himself out.
 */
export function mayOperateOn(
  actor: Account,
  target: Account,
  operation: AccountOperation,
  above: readonly string[]
): boolean {
  const isSelf = actor.id === target.id
  if (actor.role === 'ADMIN') return !isSelf || (operation !== 'suspend' && operation !== 'delete')
  if (isSelf) return operation === 'see' || operation === 'rename'
  const level = above.indexOf(actor.id)
  if (target.role === 'ADMIN' || level === -1 || !managesAccounts(actor)) return false
  return byParent[operation](actor, target, above.slice(0, level + 1))
}
