import { describe, expect, test } from 'vitest'
import { createLogCollector } from './docker-logs.ts'

const frame = (stream: 1 | 2, payload: string | Buffer): Buffer => {
  const body = Buffer.from(payload as string)
  const header = Buffer.alloc(8)
  header[0] = stream
  header.writeUInt32BE(body.length, 4)
  return Buffer.concat([header, body])
}

const read = (bytes: Buffer, { tail = 100, maxBytes = 1000, chunk = bytes.length } = {}): string => {
  const collector = createLogCollector(maxBytes)
  for (let at = 0; at < bytes.length; at += chunk) collector.write(bytes.subarray(at, at + chunk))
  return collector.text(tail)
}

describe('log stream', () => {
  test('reads frames of both streams in order, however chunks are split', () => {
    const bytes = Buffer.concat([frame(1, 'out 1\n'), frame(2, 'err ä 1\n'), frame(1, ''), frame(1, 'out 2\n')])
    for (let chunk = 1; chunk <= bytes.length; chunk++) expect(read(bytes, { chunk })).toBe('out 1\nerr ä 1\nout 2\n')
  })

  test('joins a character split across frames, even with the other stream between', () => {
    const euro = Buffer.from('€')
    const bytes = Buffer.concat([frame(1, euro.subarray(0, 1)), frame(2, 'x'), frame(1, euro.subarray(1))])
    expect(read(bytes)).toBe('x€')
  })

  test('replaces invalid UTF-8', () => {
    expect(read(frame(1, Buffer.from([0x61, 0xff, 0xe2, 0x82])))).toBe('a\ufffd\ufffd')
  })

  test('removes colours and control characters, keeps newline and tab', () => {
    expect(read(frame(1, '\u001b[31mred\u001b[0m\ta\r\n\u0000\u0007b\u009b'))).toBe('red\ta\nb')
  })

  test.each([
    [2, 'b\nc\n'],
    [3, 'a\nb\nc\n'],
    [9, 'a\nb\nc\n'],
    [0, '']
  ])('the last %i lines', (tail, expected) => {
    expect(read(frame(1, 'a\nb\nc\n'), { tail })).toBe(expected)
  })

  test('returns the last lines without a trailing newline and with empty lines', () => {
    expect(read(frame(1, 'a\nb\nc'), { tail: 2 })).toBe('b\nc')
    expect(read(frame(1, '\n\n\n'), { tail: 2 })).toBe('\n\n')
    expect(read(frame(1, '\na'), { tail: 1 })).toBe('a')
    expect(read(frame(1, '\na'), { tail: 2 })).toBe('\na')
  })

  test('keeps the last whole lines within the limit', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}\n`)
    const text = read(Buffer.concat(lines.map((line) => frame(1, line))), { tail: 1e6 })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1000)
    expect(text.startsWith('line ')).toBe(true)
    expect(text.endsWith('line 499\n')).toBe(true)
  })

  test('cuts a longer line between characters', () => {
    const text = read(frame(1, '€'.repeat(1000)), { maxBytes: 100 })
    expect(text).toBe('€'.repeat(33))
  })
})
