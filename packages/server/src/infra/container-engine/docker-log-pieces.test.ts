import { describe, expect, test } from 'vitest'
import type { LogPosition } from './container-engine.ts'
import { createLogPieces, sinceFor } from './docker-log-pieces.ts'

const at = (nanoseconds: number) => `2026-01-02T03:04:05.${String(nanoseconds).padStart(9, '0')}Z`
const frame = (stream: 1 | 2, time: string, payload: string | Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(`${time} `), Buffer.from(payload as string)])
  const header = Buffer.alloc(8)
  header[0] = stream
  header.writeUInt32BE(body.length, 4)
  return Buffer.concat([header, body])
}
const read = (bytes: Buffer, { after, step = bytes.length }: { after?: LogPosition; step?: number } = {}) => {
  const pieces = createLogPieces(after)
  const chunks = []
  for (let from = 0; from < bytes.length; from += step) chunks.push(...pieces.read(bytes.subarray(from, from + step)))
  return { text: chunks.map(({ text }) => text).join(''), position: chunks.at(-1)?.position }
}
const log = Buffer.concat([
  frame(1, at(1), 'one\n'),
  frame(1, at(2), 'two ä '),
  frame(1, at(2), 'three\n'),
  frame(1, at(3), 'four\n')
])

describe('the log of a container in pieces', () => {
  test('text arrives in order without timestamps, however reads are split', () => {
    for (let step = 1; step <= log.length; step++)
      expect(read(log, { step })).toEqual({
        text: 'one\ntwo ä three\nfour\n',
        position: { time: at(3), count: 1 }
      })
  })

  test.each<[LogPosition, string]>([
    [{ time: at(1), count: 1 }, 'two ä three\nfour\n'],
    [{ time: at(2), count: 1 }, 'three\nfour\n'],
    [{ time: at(2), count: 2 }, 'four\n'],
    [{ time: at(3), count: 1 }, '']
  ])('after %j comes what was not read', (after, expected) => {
    // The engine returns entries with this time or later.
    const since = Buffer.concat(
      [
        frame(1, at(1), 'one\n'),
        frame(1, at(2), 'two ä '),
        frame(1, at(2), 'three\n'),
        frame(1, at(3), 'four\n')
      ].filter((_, index) => [at(1), at(2), at(2), at(3)][index]! >= after.time)
    )
    expect(read(since, { after }).text).toBe(expected)
  })

  test.each([
    ['all of a file', [frame(1, at(2), 'two\n'), frame(1, at(3), 'three\n')]],
    ['a file of one line', [frame(1, at(3), 'three\n')]]
  ])('%s is not read again, and reading continues with the next response', (_, again) => {
    const before = [frame(1, at(1), 'one\n'), frame(1, at(2), 'two\n'), frame(1, at(3), 'three\n')]
    const next = [frame(1, at(4), 'four\n')]
    const pieces = createLogPieces(undefined)
    const message = (frames: Buffer[]) => [...pieces.read(Buffer.concat(frames))].map(({ text }) => text).join('')
    expect(message([...before, ...again, ...next])).toBe('one\ntwo\nthree\n')
    expect(pieces.isRepeating()).toBe(true)
    expect(message(next)).toBe('')
    expect(pieces.restart()).toEqual({ time: at(3), count: 1 })
    expect(message([...before.slice(2), ...next])).toBe('four\n')
    expect(pieces.isRepeating()).toBe(false)
  })

  test('output after a clock change is accepted once it is repeated', () => {
    const pieces = createLogPieces(undefined)
    const back = Buffer.concat([log, frame(1, at(1), 'by an earlier clock\n'), frame(1, at(2), 'more\n')])
    const message = () => [...pieces.read(back)].map(({ text }) => text).join('')
    expect(message()).toBe('one\ntwo ä three\nfour\n')
    pieces.restart()
    expect(message()).toBe('by an earlier clock\nmore\n')
    expect(pieces.isRepeating()).toBe(false)
  })

  test('out-of-order pieces of two streams are neither lost nor repeated', () => {
    const both = Buffer.concat([
      frame(1, at(5), 'five\n'),
      frame(2, at(4), 'four\n'),
      frame(1, at(6), 'six\n'),
      frame(2, at(6), 'six too\n')
    ])
    expect(read(both)).toEqual({ text: 'five\nfour\nsix\nsix too\n', position: { time: at(6), count: 2 } })
    expect(read(both, { after: { time: at(5), count: 1 } }).text).toBe('four\nsix\nsix too\n')
    expect(read(both, { after: { time: at(4), count: 1 } }).text).toBe('six\nsix too\n')
  })

  test('pieces of one long line share a timestamp', () => {
    const long = Buffer.concat([frame(1, at(1), 'a'.repeat(9)), frame(1, at(1), 'b'), frame(1, at(1), 'c\n')])
    expect(read(long)).toEqual({ text: `${'a'.repeat(9)}bc\n`, position: { time: at(1), count: 3 } })
  })

  test('continues with the first piece after a position that was rotated away', () => {
    const rest = Buffer.concat([
      frame(1, '2026-01-02T03:04:09.000000000Z', 'four\n'),
      frame(1, '2026-01-02T03:04:09.000000001Z', 'five\n')
    ])
    expect(read(rest, { after: { time: at(2), count: 1 } }).text).toBe('four\nfive\n')
  })

  test('continues within one timestamp', () => {
    const again = Buffer.concat([frame(1, at(2), 'a'), frame(1, at(2), 'b'), frame(1, at(2), 'c\n')])
    expect(read(again, { after: { time: at(2), count: 1 } })).toEqual({
      text: 'bc\n',
      position: { time: at(2), count: 3 }
    })
  })

  test('joins split characters, keeps colours, removes cursor movement', () => {
    const euro = Buffer.from('€')
    const bytes = Buffer.concat([
      frame(1, at(1), euro.subarray(0, 2)),
      frame(2, at(2), '\u001b[1;31mred\u001b[0m\u001b[2J\r\u0007\n'),
      frame(1, at(3), euro.subarray(2))
    ])
    expect(read(bytes).text).toBe('\u001b[1;31mred\u001b[0m\n€')
  })

  test('bounds chunks regardless of read size', () => {
    const lines = Buffer.concat(Array.from({ length: 5_000 }, (_, n) => frame(1, at(n), `${'x'.repeat(99)}\n`)))
    const chunks = [...createLogPieces(undefined).read(lines)]
    expect(chunks.length).toBeGreaterThan(5)
    expect(Math.max(...chunks.map(({ text }) => text.length))).toBeLessThan(66_000)
    expect(chunks.map(({ text }) => text).join('')).toHaveLength(500_000)
  })

  test('rejects a non-log stream before it fills memory', () => {
    expect(() => [...createLogPieces(undefined).read(Buffer.from('HTTP/1.1 200 OK'))]).toThrow(RangeError)
  })

  test.each([
    ['2026-01-02T03:04:05.000000001Z', '1767323044.000000001'],
    ['2026-01-02T03:04:05Z', '1767323044.000000000'],
    ['2026-01-02T04:04:05.5+01:00', '1767323044.500000000']
  ])('%s is %s', (time, expected) => {
    expect(sinceFor({ time, count: 1 })).toBe(expected)
  })

  test.each(['', 'now', '2026-01-02', '2026-01-02T03:04:05.0000000001Z', '-1&tail=0'])(
    '%s is not a timestamp',
    (time) => {
      expect(() => sinceFor({ time, count: 1 })).toThrow(TypeError)
    }
  )
})
