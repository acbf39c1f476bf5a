import { expect, test } from 'vitest'
import { createSendingAllowances, type Sender } from './sending-limit.policy.ts'

const limits = { mailbox: 10, domain: 15, account: 20 }
const open = () => {
  const { take, size } = createSendingAllowances(limits)
  return {
    size,
    take: (sender: Sender, recipients: number, now: number) => take([{ sender, recipients }], now)?.level
  }
}
const of = (mailbox: string, account: string | undefined = 'someone') => ({
  mailbox,
  domain: mailbox.split('@')[1]!,
  account
})
const minute = 60_000

test('a mailbox can use its hourly limit at once', () => {
  const allowances = open()
  expect(allowances.take(of('ann@one.test'), 10, 0)).toBeUndefined()
  expect(allowances.take(of('ann@one.test'), 1, 0)).toBe('mailbox')
})

test('refills evenly', () => {
  const allowances = open()
  allowances.take(of('ann@one.test'), 10, 0)
  expect(allowances.take(of('ann@one.test'), 1, 5 * minute)).toBe('mailbox')
  expect(allowances.take(of('ann@one.test'), 1, 6 * minute)).toBeUndefined()
  expect(allowances.take(of('ann@one.test'), 1, 6 * minute)).toBe('mailbox')
  expect(allowances.take(of('ann@one.test'), 10, 66 * minute)).toBeUndefined()
})

test('mailboxes share the domain limit, domains the account limit', () => {
  const allowances = open()
  expect(allowances.take(of('ann@one.test'), 10, 0)).toBeUndefined()
  expect(allowances.take(of('ben@one.test'), 6, 0)).toBe('domain')
  expect(allowances.take(of('ben@one.test'), 5, 0)).toBeUndefined()
  expect(allowances.take(of('ann@two.test'), 6, 0)).toBe('account')
  expect(allowances.take(of('ann@two.test'), 5, 0)).toBeUndefined()
  expect(allowances.take(of('ann@three.test', 'another'), 10, 0)).toBeUndefined()
})

test('without an account the other limits apply', () => {
  const allowances = open()
  const unknown = { mailbox: 'ann@one.test', domain: 'one.test', account: undefined }
  expect(allowances.take(unknown, 11, 0)).toBe('mailbox')
  expect(allowances.take(unknown, 10, 0)).toBeUndefined()
})

test('rejected mail costs nothing', () => {
  const allowances = open()
  for (let times = 0; times < 5; times++) expect(allowances.take(of('ann@one.test'), 11, 0)).toBe('mailbox')
  expect(allowances.take(of('ann@one.test'), 10, 0)).toBeUndefined()
})

test('senders are forgotten after an hour', () => {
  const allowances = open()
  for (let index = 0; index < 1000; index++) allowances.take(of(`a${index}@d${index}.test`, `u${index}`), 1, 0)
  allowances.take(of('ann@one.test'), 1, 61 * minute)
  expect(allowances.size()).toBe(3)
})

test('charges of a forwarded message are taken all or none', () => {
  const { take } = createSendingAllowances(limits)
  const charge = (domain: string, recipients: number) => ({
    sender: { mailbox: undefined, domain, account: 'someone' },
    recipients
  })
  const never = { isNever: true, index: 1 }
  expect(take([charge('one.test', 10), charge('two.test', 16)], 0)).toEqual({ ...never, level: 'domain', limit: 15 })
  expect(take([charge('one.test', 10), charge('two.test', 11)], 0)).toEqual({ ...never, level: 'account', limit: 20 })
  expect(take([charge('one.test', 10), charge('two.test', 10)], 0)).toBeUndefined()
  expect(take([charge('three.test', 1)], 0)).toEqual({ level: 'account', limit: 20, isNever: false, index: 0 })
})

test('a charge above a limit is permanent, even if another limit is only exhausted', () => {
  const { take } = createSendingAllowances(limits)
  const send = (recipients: number) => take([{ sender: of('ann@one.test'), recipients }], 0)
  expect(send(9)).toBeUndefined()
  expect(send(2)).toMatchObject({ level: 'mailbox', isNever: false })
  expect(send(11)).toMatchObject({ level: 'mailbox', isNever: true })
  expect(send(16)).toMatchObject({ level: 'mailbox', limit: 10, isNever: true })
})
