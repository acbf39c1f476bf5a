import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LogBuffer } from './log-buffer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const bufferOf = (...pieces: string[]) => {
  const buffer = new LogBuffer()
  for (const piece of pieces) buffer.append(piece)
  return buffer
}

test.each([
  [
    ['a\nb', 'c\nd\n'],
    ['a', 'bc', 'd']
  ],
  [
    ['a\n', '', 'b'],
    ['a', 'b']
  ],
  [
    ['10%\r50%', '\r100%\nok\r\n'],
    ['100%', 'ok']
  ],
  [['\n\n'], ['', '']],
  [['x'], ['x']]
])('%j are the lines %j', (pieces, lines) => expect(bufferOf(...pieces).lines).toEqual(lines))

test('notifies at once, batches following changes, and ignores empty ones', () => {
  const buffer = bufferOf()
  const heard: string[] = []
  const end = buffer.subscribe(() => heard.push(buffer.lines.join(' ')))
  for (const piece of ['a\n', 'b\n', 'c\n']) buffer.append(piece)
  expect(heard).toEqual(['a'])
  vi.runAllTimers()
  expect(heard).toEqual(['a', 'a b c'])
  buffer.append('')
  vi.runAllTimers()
  buffer.append('d')
  vi.runAllTimers()
  expect(heard).toEqual(['a', 'a b c', 'a b c d'])
  end()
  buffer.clear()
  vi.runAllTimers()
  expect(heard).toHaveLength(3)
  expect(buffer.lines).toEqual([])
})

test('clearing an empty buffer does not delay the next notification', () => {
  const buffer = bufferOf()
  const heard: number[] = []
  buffer.subscribe(() => heard.push(buffer.lines.length))
  buffer.clear()
  buffer.append('a\n')
  expect(heard).toEqual([1])
})

test('appends only the new part of a polled text, and replaces it if it differs', () => {
  const buffer = new LogBuffer()
  for (const text of ['a\nb', 'a\nbc\n', 'a\nbc\n']) buffer.show(text)
  expect(buffer.lines).toEqual(['a', 'bc'])
  buffer.show('x\n', true)
  expect(buffer).toMatchObject({ lines: ['x'], isCut: true })
})

test('fills reserved lines in chunks, never beyond them', () => {
  const all = ['a', 'b', 'c', 'd', 'e']
  const before = 'a\nb\nc\nd\n'
  for (let at = 0; at <= before.length; at++) {
    const buffer = new LogBuffer()
    buffer.skip(3)
    buffer.append('d\ne')
    expect(buffer.lines).toEqual(['', '', '', 'd', 'e'])
    expect([0, 2, 3, 4, 5].map((index) => buffer.has(index))).toEqual([false, false, true, true, false])
    buffer.fill(before.slice(0, at))
    expect(buffer).toMatchObject({ whole: at < 6 ? Math.floor(at / 2) : 5, isWhole: at >= 6 })
    buffer.fill(before.slice(at))
    buffer.append('!\n')
    expect(buffer).toMatchObject({ lines: [...all.slice(0, 4), 'e!'], whole: 5, isWhole: true, isCut: false })
  }
})

test('drops reserved lines that will not arrive', () => {
  const buffer = new LogBuffer()
  buffer.skip(3)
  buffer.append('d\n')
  buffer.fill('a\nb')
  buffer.skipMissing()
  expect(buffer).toMatchObject({ lines: ['d'], dropped: 3, isCut: true, isWhole: true })
})

test('chunk boundaries do not change the lines', () => {
  const text = 'one\ntwo\rthree\r\n\nfour'
  const whole = bufferOf(text).lines
  for (let at = 0; at <= text.length; at++) expect(bufferOf(text.slice(0, at), text.slice(at)).lines).toEqual(whole)
})

test('keeps the last lines up to its limit and reports that earlier ones were dropped', () => {
  const buffer = new LogBuffer(100)
  for (let line = 1; line <= 1_000; line++) buffer.append(`${line}\n`)
  expect(buffer.lines.length).toBeGreaterThanOrEqual(100)
  expect(buffer.lines.length).toBeLessThanOrEqual(110)
  expect(buffer.lines.at(-1)).toBe('1000')
  expect(buffer.lines[0]).toBe(String(buffer.dropped + 1))
  expect(buffer.isCut).toBe(true)
  buffer.clear()
  expect(buffer).toMatchObject({ lines: [], dropped: 0, isCut: false })
})
