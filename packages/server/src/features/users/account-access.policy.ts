import type { Permission, Role } from '@panel/contract/users'

export interface Account {
  id: string
  role: Role
  permissions: readonly Permission[]
  suspendedBy: string | null
}

export function managesAccounts(actor: Pick<Account, 'role' | 'permissions'>): boolean {
  return actor.role === 'ADMIN' || actor.role === 'RESELLER' || actor.permissions.includes('canCreateSubAccounts')
}

export function mayGrantRole(actor: Pick<Account, 'role'>, role: Role): boolean {
  return role === 'USER' || actor.role === 'ADMIN'
}

/**
 * Operations on an account, and when an ancestor at any level may perform them. `between`: the accounts between that
 * ancestor and the target. An ADMIN may perform all of them on any account.
 */
const byParent = {
  see: () => true,
  rename: () => true,
  // Control of the email address allows a password reset, so this must not grant rights the parent lacks.
  changeEmail: (parent, target) =>
    (target.role === 'USER' || target.role === parent.role) &&
    target.permissions.every((permission) => parent.permissions.includes(permission)),
  changeQuotas: (parent) => parent.role === 'RESELLER',
  suspend: () => true,
  // A suspension can be lifted at the same level or above; one by an ADMIN only by an ADMIN.
  resume: (_parent, target, between) => target.suspendedBy === null || between.includes(target.suspendedBy),
  delete: () => true
} satisfies Record<string, (parent: Account, target: Account, between: readonly string[]) => boolean>

export type AccountOperation = keyof typeof byParent

/**
 * `above`: ancestors of the target, nearest first, up to the first ADMIN; rights of accounts above an ADMIN do not
 * reach below it. Accounts outside the actor's tree and other ADMINs need an ADMIN. Actors cannot lock themselves out.
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
