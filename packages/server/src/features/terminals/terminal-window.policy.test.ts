import { expect, test } from 'vitest'
import { createWindow } from './terminal-window.policy.ts'

test('takes no more than its size until room is given back', async () => {
  const window = createWindow(10)
  expect([window.take(6), window.take(5), window.take(4)]).toEqual([true, false, true])
  const changed = window.change(new AbortController().signal)
  window.give(6)
  await changed
  expect(window.take(6)).toBe(true)
})

test('acknowledging more than was sent gives no more room than the window has', () => {
  const window = createWindow(10)
  window.give(1000)
  expect(window.take(11)).toBe(false)
  expect(window.take(10)).toBe(true)
})

test('a wait ends with its signal', async () => {
  const stop = new AbortController()
  const waiting = createWindow(1).change(stop.signal)
  stop.abort()
  await waiting
})
