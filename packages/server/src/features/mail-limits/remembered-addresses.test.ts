import { expect, test } from 'vitest'
import { createRememberedAddresses } from './remembered-addresses.ts'

const open = () => createRememberedAddresses<string>({ keptMs: 100, most: 5, mostOfOne: 3 })
const knownOf = (remembered: ReturnType<typeof open>, now: number) =>
  ['a', 'b', 'c', 'd', 'x', 'y', 'z'].filter((address) => remembered.find(address, now)).join('')

test('over the limit per owner, evicts the oldest entry of that owner', () => {
  const remembered = open()
  for (const address of ['x', 'y']) remembered.remember('other', address, 0)
  for (const address of ['a', 'b', 'c', 'd']) remembered.remember('one', address, 0)
  expect(knownOf(remembered, 0)).toBe('bcdxy')
  remembered.remember('one', 'b', 1)
  remembered.remember('one', 'a', 1)
  expect(knownOf(remembered, 1)).toBe('abdxy')
  expect(remembered.size()).toBe(5)
})

test('over the total limit, evicts the oldest entry', () => {
  const remembered = open()
  for (const address of ['a', 'b', 'c', 'd', 'x', 'y']) remembered.remember(`owner of ${address}`, address, 0)
  expect(knownOf(remembered, 0)).toBe('bcdxy')
})

test('a value expires with its address; remembering again resets both', () => {
  const remembered = open()
  remembered.remember('one', 'a', 0)
  remembered.find('a', 0)!.value = 'counted'
  expect(remembered.find('a', 100)?.value).toBe('counted')
  expect(remembered.find('a', 101)).toBeUndefined()
  remembered.remember('one', 'a', 101)
  expect(remembered.find('a', 201)).toMatchObject({ value: undefined })
})

test('an address moves to its new owner', () => {
  const remembered = open()
  for (const address of ['a', 'b', 'c']) remembered.remember('one', address, 0)
  remembered.remember('other', 'a', 0)
  remembered.remember('one', 'd', 0)
  expect(knownOf(remembered, 0)).toBe('abcd')
})
