import { describe, expect, test } from 'vitest'
import { type AccountThing, planAccount, type PlanFacts, withoutItems } from './account-plan.policy.ts'

const takenAt = '2026-11-01T03:20:00.000Z'
const before = '2026-11-01T03:10:00.000Z'
const thing = (key: string, needs: string[] = []): AccountThing => ({ key, kind: key.split(':')[0] as AccountThing['kind'], name: key, needs }) // oxfmt-ignore
const facts = (more: Partial<PlanFacts>): PlanFacts => ({
  userId: 'ann',
  saved: [],
  savedNames: [],
  present: [],
  heldNames: [],
  leaving: new Set(),
  contents: new Map(),
  takenAt,
  ...more
})
const changes = (more: Partial<PlanFacts>) =>
  planAccount(facts(more)).map(({ key, change, reason, takenAt: at }) => [key, change, reason, at])

describe('a plan', () => {
  const all = [
    thing('PROJECT:1'),
    thing('PROJECT:2'),
    thing('DATABASE:1', ['PROJECT:1']),
    thing('DATABASE:2'),
    thing('DATABASE:3', ['PROJECT:2']),
    thing('DOMAIN:1'),
    thing('MAILBOX:1', ['DOMAIN:1'])
  ]
  const contents = new Map([['PROJECT:1', before]])

  test('of a deleted account brings everything back', () => {
    expect(changes({ saved: all, contents })).toEqual([
      ['PROJECT:1', 'RETURNS', null, before],
      ['PROJECT:2', 'RETURNS', 'NO_BACKUP', null],
      ['DATABASE:1', 'RETURNS', null, before],
      ['DATABASE:2', 'RETURNS', null, takenAt],
      ['DATABASE:3', 'RETURNS', 'NO_BACKUP', null],
      ['DOMAIN:1', 'RETURNS', null, takenAt],
      ['MAILBOX:1', 'RETURNS', null, takenAt]
    ])
  })

  test('of what exists exchanges files and mail, puts databases beside, and leaves the rest', () => {
    expect(changes({ saved: all, present: [...all, thing('PROJECT:9')], contents })).toEqual([
      ['PROJECT:1', 'EXCHANGED', null, before],
      ['PROJECT:2', 'STAYS', 'NO_BACKUP', null],
      ['DATABASE:1', 'BESIDE', null, before],
      ['DATABASE:2', 'BESIDE', null, takenAt],
      ['DATABASE:3', 'STAYS', 'NO_BACKUP', null],
      ['DOMAIN:1', 'STAYS', null, null],
      ['MAILBOX:1', 'EXCHANGED', null, takenAt],
      ['PROJECT:9', 'STAYS', 'NOT_IN_BACKUP', null]
    ])
  })

  test.each([
    ['by another account', { holder: '2', userId: 'eve' }, 'NAME_TAKEN'],
    ['by the account itself', { holder: '2', userId: 'ann' }, 'ADDED_AGAIN'],
    ['by the deleted row itself', { holder: '1', userId: 'ann' }, null]
  ])('refuses a name that is taken %s', (_name, held, reason) => {
    const name = 'route:shop.test'
    const savedNames = [{ name, holder: '1', userId: 'ann', item: 'DOMAIN:1' }]
    const heldNames = [{ name, item: null, ...held }]
    const [[, change, found]] = changes({ saved: [thing('DOMAIN:1')], savedNames, heldNames }) as [string[]]
    expect([change, found]).toEqual([reason === null ? 'RETURNS' : 'REFUSED', reason])
  })

  test('refuses what is still being removed', () => {
    const found = changes({ saved: [thing('DATABASE:2')], leaving: new Set(['DATABASE:2']) })
    expect(found).toEqual([['DATABASE:2', 'REFUSED', 'BEING_REMOVED', null]])
  })
})

test('what needs something that is skipped is skipped too', () => {
  const saved = [thing('DOMAIN:1'), thing('DOMAIN:2', ['DOMAIN:1']), thing('MAILBOX:1', ['DOMAIN:2']), thing('SFTP:1')]
  const needs = new Map(saved.map(({ key, needs }) => [key, needs]))
  const found = withoutItems(planAccount(facts({ saved })), needs, ['DOMAIN:1'])
  expect(found.map(({ key, change, reason }) => [key, change, reason])).toEqual([
    ['DOMAIN:1', 'SKIPPED', null],
    ['DOMAIN:2', 'SKIPPED', 'NEEDS_SKIPPED'],
    ['MAILBOX:1', 'SKIPPED', 'NEEDS_SKIPPED'],
    ['SFTP:1', 'RETURNS', null]
  ])
})
