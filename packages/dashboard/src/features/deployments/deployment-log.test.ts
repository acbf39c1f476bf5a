import { expect, test } from 'vitest'
import { DeploymentLog } from './deployment-log.ts'

const piece = (offset: number, text: string) => ({
  offset,
  text,
  next: offset + text.length,
  complete: false,
  removed: false
})

test('a piece is taken once, whoever brings it, and where it goes on', () => {
  const log = new DeploymentLog()
  const taken = [piece(0, 'one\ntw'), piece(0, 'one\ntwo\n'), piece(6, 'o\n'), piece(6, 'o\n'), piece(20, 'far')]
  expect(taken.map((each) => log.take(each))).toEqual([true, false, true, false, false])
  expect(log.buffer.lines).toEqual(['one', 'two'])
  expect(log).toMatchObject({ after: 8, isComplete: false })
  expect(log.take({ ...piece(8, ''), complete: true, removed: true })).toBe(false)
  expect(log).toMatchObject({ after: 8, isComplete: true, buffer: { isCut: true } })
})
