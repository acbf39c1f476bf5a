import { expect, test } from 'vitest'
import { parseQuota, parseWho } from './dovecot-answers.ts'

test('mailbox usage', () => {
  const text = `Username\tQuota name\tType\tValue\tLimit\t%
a@one.test\tUser quota\tSTORAGE\t12\t1024\t1
a@one.test\tUser quota\tMESSAGE\t3\t-\t0
x@one.test\tUser quota\tSTORAGE\t5\t1024\t1
b@one.test\tUser quota\tSTORAGE\t-\t-\t0
`
  expect(Object.fromEntries(parseQuota(text, ['a@one.test', 'b@one.test']))).toEqual({
    'a@one.test': { bytes: 12_288, messages: 3 }
  })
  expect(parseQuota('', ['a@one.test']).size).toBe(0)
})

test('users with sessions', () => {
  expect(
    parseWho('username\t#\tproto\tpids\tips\na@one.test\t2\timap\t1 2\t127.0.0.1\na@one.test\t1\tsieve\t3\t::1\n')
  ).toEqual(['a@one.test'])
  expect(parseWho('')).toEqual([])
})
