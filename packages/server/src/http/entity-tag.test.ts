import { describe, expect, test } from 'vitest'
import { entityTag, isAlreadyHeld, isSamePart } from './entity-tag.ts'

const mtime = new Date('2026-01-01T00:00:00.123Z')
const after = (ms: number) => new Date(mtime.getTime() + ms)

test('an entity tag is weak until the file has settled', () => {
  const strong = entityTag({ size: 100, mtime }, after(2_001))
  expect(strong).toMatch(/^"[a-z0-9]+-[a-z0-9]+"$/)
  expect(entityTag({ size: 100, mtime }, after(2_000))).toBe(`W/${strong}`)
  expect(entityTag({ size: 100, mtime }, after(-5_000))).toBe(`W/${strong}`)
})

test('it changes with the size and with the time', () => {
  const tags = [
    entityTag({ size: 1, mtime }, after(9_000)),
    entityTag({ size: 2, mtime }, after(9_000)),
    entityTag({ size: 1, mtime: after(1) }, after(9_000)),
    entityTag({ size: 0, mtime: new Date(0) }, after(9_000)),
    entityTag({ size: 0, mtime: new Date(-1) }, after(9_000))
  ]
  expect(new Set(tags).size).toBe(tags.length)
})

describe('If-None-Match', () => {
  test.each([
    [undefined, '"a"', false],
    ['*', '"a"', true],
    ['"a"', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['"b", W/"a"', '"a"', true],
    ['"b"', '"a"', false],
    ['a', '"a"', false],
    ['"a', '"a"', false],
    ['', '"a"', false]
  ])('%s against %s', (header, tag, expected) => {
    expect(isAlreadyHeld(header, tag)).toBe(expected)
  })
})

describe('If-Range', () => {
  test.each([
    [undefined, '"a"', true],
    ['"a"', '"a"', true],
    ['W/"a"', '"a"', false],
    ['"a"', 'W/"a"', false],
    ['W/"a"', 'W/"a"', false],
    ['"b"', '"a"', false],
    ['Thu, 01 Jan 2026 00:00:00 GMT', '"a"', false]
  ])('%s against %s', (header, tag, expected) => {
    expect(isSamePart(header, tag)).toBe(expected)
  })
})
