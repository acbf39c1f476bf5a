import { expect, test } from 'vitest'
import { createKnownTime } from './known-time.ts'

const second = 1_000
function openPage() {
  let at = { ticks: 0, clock: 43_200 * second }
  const time = createKnownTime(at, () => at)
  const pass = (ms: number) => void (at = { ticks: at.ticks + ms, clock: at.clock + ms })
  return {
    time,
    pass,
    sleep: (ms: number) => void (at = { ...at, clock: at.clock + ms }),
    setClock: (ms: number) => void (at = { ...at, clock: at.clock + ms }),
    stay(signs: number) {
      for (let sign = 0; sign < signs; sign++) {
        pass(25 * second)
        time.hear()
      }
    }
  }
}

test('before the first connection, everything since page load is missed', () => {
  const { time, pass } = openPage()
  pass(2 * second)
  expect(time.connect()).toBe(2 * second)
  pass(3 * second)
  expect(time.connect()).toBe(5 * second)
})

test('signing in later does not count the time before', () => {
  const { time, pass } = openPage()
  pass(600 * second)
  time.begin()
  pass(3 * second)
  expect(time.connect()).toBe(3 * second)
})

test('after a disconnect, changes are known up to the last answered ping', () => {
  const { time, pass, stay } = openPage()
  pass(2 * second)
  time.connect()
  pass(20 * second)
  expect(time.connect()).toBe(22 * second)
  stay(1)
  pass(5 * second)
  expect(time.connect()).toBe(30 * second)
  stay(9)
  pass(5 * second)
  expect(time.connect()).toBe(30 * second)
})

test('changes during sleep are missed, even if an old ping is processed afterwards', () => {
  const { time, sleep, stay } = openPage()
  time.connect()
  stay(9)
  sleep(3_600 * second)
  time.hear()
  expect(time.connect()).toBe(3_600 * second)
})

test('setting the clock back hides no changes', () => {
  const { time, pass, setClock, stay } = openPage()
  time.connect()
  stay(2)
  setClock(-3_600 * second)
  pass(10 * second)
  expect(time.connect()).toBe(35 * second)
})
