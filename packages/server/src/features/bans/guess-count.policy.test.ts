import { expect, test } from 'vitest'
import { createGuessCount, type Guess } from './guess-count.policy.ts'

const ann: Guess = { address: '203.0.113.7', service: 'SFTP' }
const limits = { limit: 3, windowMs: 60_000 }
const make = () =>
  createGuessCount({ PANEL: limits, SSH: limits, SFTP: limits, SMTP: limits, IMAP: limits, WORDPRESS: limits })
const addAll = (count: ReturnType<typeof make>, guesses: Guess[], at = (index: number) => index) =>
  guesses.map((guess, index) => count.add(guess, at(index)))

test('enough attempts in the window point to a ban, and counting starts again', () => {
  const count = make()
  expect(addAll(count, Array<Guess>(6).fill(ann))).toEqual([undefined, undefined, 3, undefined, undefined, 3])
})

test('attempts over a longer time do not', () => {
  expect(addAll(make(), Array<Guess>(6).fill(ann), (index) => index * 30_000)).not.toContain(3)
})

test('addresses and services are counted apart', () => {
  const others: Guess[] = [ann, ann, { ...ann, address: '203.0.113.8' }, { ...ann, service: 'SSH' }]
  expect(addAll(make(), others)).toEqual([undefined, undefined, undefined, undefined])
})

test('repeats of one guess count once', () => {
  const old = { ...ann, service: 'IMAP', guess: 'old password' } as const
  const count = make()
  expect(addAll(count, Array<Guess>(100).fill(old))).not.toContain(3)
  expect(
    addAll(count, [
      { ...old, guess: 'a' },
      { ...old, guess: 'b' }
    ])
  ).toEqual([undefined, 3])
})

test('weights', () => {
  expect(
    addAll(make(), [
      { ...ann, weight: 2 },
      { ...ann, weight: 2 }
    ])
  ).toEqual([undefined, 4])
})

test('its memory is bounded', () => {
  const count = createGuessCount()
  for (let index = 0; index < 60_000; index++) count.add({ ...ann, address: `10.0.${index >> 8}.${index & 255}` }, 0)
  expect(count.size()).toBe(50_000)
})
