import { expect, test } from 'vitest'
import { missingRoleAddresses } from './role-addresses.policy.ts'

const facts = {
  domainName: 'example.com',
  ownerEmail: 'owner@example.net',
  mailboxes: ['ann', 'bob'],
  aliases: [] as string[]
}
const both = (target: string) => ['postmaster', 'abuse'].map((localPart) => ({ localPart, targets: [target] }))

test.each([
  ['elsewhere', {}, both('owner@example.net')],
  ['whatever its case', { ownerEmail: 'Owner@Example.NET' }, both('owner@example.net')],
  ['without mailboxes', { mailboxes: [] }, both('owner@example.net')],
  ['in the domain and there', { ownerEmail: 'bob@example.com' }, both('bob@example.com')],
  ['in the domain with a detail', { ownerEmail: 'bob+panel@example.com' }, both('bob+panel@example.com')],
  ['in the domain by an alias', { ownerEmail: 'me@example.com', aliases: ['me'] }, both('me@example.com')],
  ['in the domain by the catch-all', { ownerEmail: 'me@example.com', aliases: [''] }, both('me@example.com')],
  ['in the domain and not there', { ownerEmail: 'me@example.com' }, both('ann@example.com')],
  ['one of them itself', { ownerEmail: 'postmaster@example.com' }, both('ann@example.com')],
  ['one of them itself, with a catch-all', { ownerEmail: 'abuse@example.com', aliases: [''] }, both('ann@example.com')],
  ['nowhere at all', { ownerEmail: 'me@example.com', mailboxes: [], aliases: ['x'] }, []],
  ['with a name that takes quotes', { ownerEmail: '"a b"@example.net' }, both('ann@example.com')],
  ['with a catch-all', { aliases: [''] }, both('owner@example.net')],
  ['with a mailbox of its own', { mailboxes: ['postmaster'] }, both('owner@example.net').slice(1)],
  ['with an alias of its own', { aliases: ['abuse'] }, both('owner@example.net').slice(0, 1)]
])('the owner %s', (_name, values, expected) => {
  expect(missingRoleAddresses({ ...facts, ...values })).toEqual(expected)
})
