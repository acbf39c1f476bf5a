import { certificateProblemTexts } from '@panel/contract/certificate-texts'
import { sentenceText } from '@panel/contract/sentences'
import { expect, test } from 'vitest'
import { budgetProblem, type OrderHistory, type AcceptedOrder } from './order-budget.policy.ts'

const now = new Date('2030-01-01T00:00:00.000Z')
const minute = 60_000
const day = 24 * 60 * minute
const ago = (outcome: AcceptedOrder['outcome'], ...agoMs: number[]): AcceptedOrder[] =>
  agoMs.map((ms) => ({ outcome, createdAt: new Date(now.getTime() - ms) }))
const minutes = (...list: number[]) => list.map((each) => each * minute)
const days = (...list: number[]) => list.map((each) => each * day)

function waitOf(history: Partial<OrderHistory>, isRenewal: boolean) {
  const all = { name: [], account: [], server: [], ...history }
  const problem = budgetProblem(all, { hostname: 'shop.example.com', isRenewal, now })
  return (
    problem && {
      message: sentenceText(certificateProblemTexts, problem.reason),
      waitMs: problem.retryAt.getTime() - now.getTime()
    }
  )
}

test.each<[string, AcceptedOrder[], number | undefined]>([
  ['nothing', [], undefined],
  ['4 failed', ago('failed', ...minutes(1, 2, 3, 4)), undefined],
  ['5 failed', ago('failed', ...minutes(1, 2, 3, 4, 50)), 10 * minute],
  ['5 failed, one of them an hour ago', ago('failed', ...minutes(1, 2, 3, 4, 60)), undefined],
  ['7 failed: until only 4 count', ago('failed', ...minutes(1, 2, 3, 4, 30, 40, 50)), 30 * minute],
  // A clock that was ahead must not block a hostname.
  ['5 failed tomorrow', ago('failed', ...days(-1, -1, -1, -1, -1)), undefined],
  ['4 issued', ago('issued', ...days(1, 2, 3, 4)), undefined],
  ['5 issued', ago('issued', ...days(1, 2, 3, 4, 6)), day],
  ['5 issued, one of them a week ago', ago('issued', ...days(1, 2, 3, 4, 7)), undefined],
  [
    '4 failed and 4 issued',
    [...ago('failed', ...minutes(1, 2, 3, 4)), ...ago('issued', ...days(1, 2, 3, 4))],
    undefined
  ],
  ['an open one may fail', [...ago('failed', ...minutes(1, 2, 3, 4)), ...ago('open', ...minutes(20))], 40 * minute],
  ['an open one is not issued', [...ago('issued', ...days(1, 2, 3, 4)), ...ago('open', ...days(5))], undefined],
  ['both: the later', [...ago('failed', ...minutes(1, 2, 3, 4, 5)), ...ago('issued', ...days(1, 2, 3, 4, 5))], 2 * day]
])('hostname: %s', (_name, name, waitMs) => {
  for (const isRenewal of [true, false]) expect(waitOf({ name }, isRenewal)?.waitMs).toBe(waitMs)
})

const many = (count: number, outcome: AcceptedOrder['outcome'], agoMs: number) =>
  Array.from({ length: count }, () => ago(outcome, agoMs)[0]!)

test.each<[string, Partial<OrderHistory>, { first?: number; renewal?: number; message?: RegExp }]>([
  ['49 of an account', { account: many(49, 'issued', minute) }, {}],
  [
    '50 of an account',
    { account: [...many(20, 'issued', minute), ...many(30, 'failed', 80 * minute)] },
    { first: 100 * minute, message: /^Your account.*50 new ones in 3 hours/ }
  ],
  [
    '50 of an account, one of them 3 hours ago',
    { account: [...many(49, 'issued', 1), ...ago('open', 180 * minute)] },
    {}
  ],
  ['refused ones were not ordered', { account: many(100, 'refused', 70 * minute) }, {}],
  ['19 failures', { account: many(19, 'refused', minute) }, {}],
  [
    '20 failures, of the authority or before it',
    { account: [...many(10, 'refused', minute), ...many(8, 'failed', 5), ...many(2, 'open', 40 * minute)] },
    { first: 20 * minute, message: /your account.*20 failures an hour/ }
  ],
  ['20 failures, one of them an hour ago', { account: [...many(19, 'refused', 1), ...ago('failed', 60 * minute)] }, {}],
  ['149 of the server', { server: many(149, 'issued', minute) }, {}],
  [
    '150 of the server: renewals have the rest',
    { server: many(150, 'issued', 60 * minute) },
    { first: 120 * minute, message: /This server.*150 in 3 hours only renewals/ }
  ],
  ['249 of the server', { server: many(249, 'issued', 60 * minute) }, { first: 120 * minute, message: /This server/ }],
  [
    '250 of the server',
    { server: [...many(249, 'issued', 60 * minute), ...ago('failed', 170 * minute)] },
    { first: 120 * minute, renewal: 10 * minute, message: /This server/ }
  ],
  ['a server of yesterday', { server: many(1000, 'issued', day) }, {}],
  [
    'several limits: what lasts longest is told',
    { account: many(20, 'refused', minute), server: many(150, 'issued', 150 * minute), name: ago('failed', 1) },
    { first: 59 * minute, message: /your account/ }
  ]
])('%s', (_name, history, { first, renewal, message }) => {
  expect(waitOf(history, false)?.waitMs).toBe(first)
  expect(waitOf(history, true)?.waitMs).toBe(renewal)
  if (message) expect(waitOf(history, false)?.message).toMatch(message)
})
