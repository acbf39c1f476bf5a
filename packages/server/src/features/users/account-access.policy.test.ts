import { describe, expect, test } from 'vitest'
import {
  type Account,
  type AccountOperation,
  managesAccounts,
  mayOperateOn,
  mayGrantRole
} from './account-access.policy.ts'

/** With the accounts above it, the nearest first. */
type Placed = Account & { above: readonly string[] }
const account = (id: string, values: Partial<Placed> = {}): Placed => ({
  id,
  role: 'USER',
  permissions: [],
  above: [],
  suspendedBy: null,
  ...values
})
const admin = account('admin', { role: 'ADMIN' })
const reseller = account('reseller', { role: 'RESELLER' })
const helper = account('helper', { permissions: ['canCreateSubAccounts'] })
const plain = account('plain')
const operations = ['see', 'rename', 'changeEmail', 'changeQuotas', 'suspend', 'resume', 'delete'] as const
const allowed = (actor: Account, target: Placed) =>
  operations.filter((operation) => mayOperateOn(actor, target, operation, target.above))

test.each<[string, Account, Placed, AccountOperation[]]>([
  ['an ADMIN and anybody', admin, account('x', { above: ['other'] }), [...operations]],
  ['an ADMIN and another', admin, account('x', { role: 'ADMIN' }), [...operations]],
  ['an ADMIN and itself', admin, admin, ['see', 'rename', 'changeEmail', 'changeQuotas', 'resume']],
  ['a user and itself', plain, plain, ['see', 'rename']],
  ['a reseller and itself', reseller, reseller, ['see', 'rename']],
  [
    'a reseller that is its own parent',
    account('r', { role: 'RESELLER', above: ['r'] }),
    account('r', { role: 'RESELLER', above: ['r'] }),
    ['see', 'rename']
  ],
  ['a reseller and its own', reseller, account('x', { above: ['reseller'] }), [...operations]],
  ['a reseller and one two levels below', reseller, account('x', { above: ['helper', 'reseller'] }), [...operations]],
  [
    'one two levels below, suspended by the one between',
    reseller,
    account('x', { above: ['helper', 'reseller'], suspendedBy: 'helper' }),
    [...operations]
  ],
  [
    'the one between, and an account that the one above has suspended',
    helper,
    account('x', { above: ['helper', 'reseller'], suspendedBy: 'reseller' }),
    ['see', 'rename', 'changeEmail', 'suspend', 'delete']
  ],
  ['a reseller and a foreign one', reseller, account('x', { above: ['other'] }), []],
  ['a reseller and one at the top', reseller, account('x'), []],
  ['a reseller and its own that became ADMIN', reseller, account('x', { above: ['reseller'], role: 'ADMIN' }), []],
  [
    'a reseller and the one above it',
    account('r', { role: 'RESELLER', above: ['x'] }),
    account('x', { role: 'RESELLER' }),
    []
  ],
  [
    'canCreateSubAccounts and its own',
    helper,
    account('x', { above: ['helper'] }),
    ['see', 'rename', 'changeEmail', 'suspend', 'resume', 'delete']
  ],
  [
    'canCreateSubAccounts and its own reseller',
    helper,
    account('x', { above: ['helper'], role: 'RESELLER' }),
    ['see', 'rename', 'suspend', 'resume', 'delete']
  ],
  ['a user that may create no longer, and its own', plain, account('x', { above: ['plain'] }), []],
  [
    'its own with a right it lacks',
    reseller,
    account('x', { above: ['reseller'], permissions: ['canManageDns'] }),
    ['see', 'rename', 'changeQuotas', 'suspend', 'resume', 'delete']
  ],
  [
    'its own, suspended by an ADMIN',
    reseller,
    account('x', { above: ['reseller'], suspendedBy: 'admin' }),
    ['see', 'rename', 'changeEmail', 'changeQuotas', 'suspend', 'delete']
  ],
  [
    'its own, suspended by itself',
    reseller,
    account('x', { above: ['reseller'], suspendedBy: 'reseller' }),
    [...operations]
  ]
])('%s', (_name, actor, target, expected) => expect(allowed(actor, target)).toEqual(expected))

describe('creation', () => {
  test.each([
    [admin, true],
    [reseller, true],
    [helper, true],
    [plain, false],
    [account('x', { permissions: ['canManageDns', 'canManageFirewall', 'canManageBackups'] }), false]
  ])('%j manages accounts: %s', (actor, expected) => expect(managesAccounts(actor)).toBe(expected))

  test.each([
    [admin, 'ADMIN', true],
    [admin, 'RESELLER', true],
    [reseller, 'USER', true],
    [reseller, 'RESELLER', false],
    [reseller, 'ADMIN', false],
    [helper, 'ADMIN', false]
  ] as const)('%j may make a %s: %s', (actor, role, expected) => expect(mayGrantRole(actor, role)).toBe(expected))
})
