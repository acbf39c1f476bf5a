import { expect, test } from 'vitest'
import { createLogInBrake } from './log-in-brake.policy.ts'

const limits = { ofMailbox: 3, ofNetwork: 5, windowMs: 60_000, perMinute: 4, knownMs: 3_600_000 }
const ann = { login: 'ann@one.test', network: '192.0.2.1', passwordHash: '1' }
const guess = (index: number) => ({ ...ann, passwordHash: `guess ${index}` })

function guessed(times: number, of: (index: number) => typeof ann = guess) {
  const brake = createLogInBrake(limits)
  for (let index = 0; index < times; index++) brake.notifyOwner(of(index), false, index)
  return brake
}

test('too many guesses block the network for this mailbox until the time has passed', () => {
  expect(guessed(2).isOpen(ann, 10)).toBe(true)
  const brake = guessed(3)
  expect(brake.isOpen(ann, 10)).toBe(false)
  expect(brake.isOpen(ann, limits.windowMs - 1)).toBe(false)
  expect(brake.isOpen(ann, limits.windowMs)).toBe(true)
})

test('the same network with another mailbox, and another network with the same mailbox, are not blocked', () => {
  const brake = guessed(4)
  expect(brake.isOpen({ ...ann, network: '192.0.2.2' }, 10)).toBe(true)
  expect(brake.isOpen({ ...ann, login: 'ben@one.test' }, 10)).toBe(true)
})

test('the same wrong password counts once, however often it comes', () => {
  expect(guessed(1_000, () => ann).isOpen(ann, 10)).toBe(true)
})

test('a right one forgives what was wrong before', () => {
  const brake = guessed(2)
  brake.notifyOwner(ann, true, 5)
  brake.notifyOwner(guess(7), false, 6)
  brake.notifyOwner(guess(8), false, 7)
  expect(brake.isOpen(ann, 10)).toBe(true)
})

test('one password tried on many mailboxes closes the network, but not to those that were opened from there', () => {
  const brake = createLogInBrake(limits)
  brake.notifyOwner(ann, true, 0)
  for (let index = 0; index < 5; index++) brake.notifyOwner({ ...ann, login: `user${index}@one.test` }, false, 1)
  expect(brake.isOpen({ ...ann, login: 'ben@one.test' }, 10)).toBe(false)
  expect(brake.isOpen(ann, 10)).toBe(true)
  expect(brake.isOpen({ ...ann, login: 'ben@one.test', network: '192.0.2.2' }, 10)).toBe(true)
})

test('who closes the network is closed out himself, also after he was let in once', () => {
  const brake = guessed(3)
  brake.notifyOwner({ ...ann, login: 'ben@one.test' }, true, 4)
  expect(brake.isOpen(ann, 10)).toBe(false)
})

test('logins per minute are limited, correct ones too; other networks are not affected', () => {
  const brake = createLogInBrake(limits)
  brake.notifyOwner(ann, true, 0)
  expect([1, 2, 3, 4, 5].map((at) => brake.take(ann, at))).toEqual([true, true, true, true, false])
  expect(brake.take({ ...ann, login: 'ben@one.test' }, 6)).toBe(true)
  expect(brake.take({ ...ann, network: '192.0.2.2' }, 6)).toBe(true)
  expect([59_999, 60_001].map((at) => brake.take(ann, at))).toEqual([false, true])
})

test('its memory is bounded', () => {
  const brake = createLogInBrake()
  for (let index = 0; index < 120_000; index++) {
    const logIn = { ...ann, login: `user${index}@one.test` }
    brake.take(logIn, 0)
    brake.notifyOwner(logIn, index % 2 === 0, 0)
  }
  expect(brake.size()).toBeLessThanOrEqual(150_000)
})
