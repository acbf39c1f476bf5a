import { expect, test } from 'vitest'
import { DeploymentLog } from './deployment-log.ts'

const piece = (offset: number, text: string) => ({
  offset,
  text,
  next: offset + text.length,
  complete: false,
  removed: false
})

test('takes each chunk once and in order, whatever its source', () => {
  const log = new DeploymentLog()
  const taken = [piece(0, 'one\ntw'), piece(0, 'one\ntwo\n'), piece(6, 'o\n'), piece(6, 'o\n'), piece(20, 'far')]
  expect(taken.map((each) => log.take(each))).toEqual([true, false, true, false, false])
  expect(log.buffer.lines).toEqual(['one', 'two'])
  expect(log).toMatchObject({ after: 8, isComplete: false })
  expect(log.take({ ...piece(8, ''), complete: true, removed: true })).toBe(false)
  expect(log).toMatchObject({ after: 8, isComplete: true, buffer: { isCut: true } })
})

test('shows the last lines first, then the earlier ones and what follows', () => {
  const log = new DeploymentLog()
  log.begin({ ...piece(8, 'three\n'), line: 3 })
  log.begin({ ...piece(0, 'another\n'), line: 1 })
  expect(log.buffer).toMatchObject({ lines: ['', '', 'three'], isWhole: false })
  for (const each of [piece(0, 'one\n'), piece(0, 'one\n'), piece(4, 'two\nthree\nfour\n')]) log.fill(each)
  expect(log.buffer).toMatchObject({ lines: ['one', 'two', 'three'], isWhole: true })
  expect(log.take(piece(14, 'four\n'))).toBe(true)
  expect(log.buffer.lines).toEqual(['one', 'two', 'three', 'four'])
})

test.each([
  ['removed', { ...piece(4, ''), removed: true }],
  ['not there', piece(4, '')]
])('leaves out earlier lines that are %s', (_, rest) => {
  const log = new DeploymentLog()
  log.begin({ ...piece(8, 'three\n'), line: 3 })
  log.fill(piece(0, 'one\n'))
  log.fill(rest)
  expect(log.buffer).toMatchObject({ lines: ['three'], dropped: 2, isCut: true, isWhole: true })
})
