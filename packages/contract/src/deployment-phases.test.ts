import { expect, test } from 'vitest'
import { type PhaseMark, phaseLine, phasesOf } from './deployment-phases.ts'

const start = Date.parse('2026-01-31T12:00:00.000Z')
const mark = (name: PhaseMark, seconds: number) => phaseLine(name, new Date(start + seconds * 1_000))

test('a mark is one readable line', () => {
  expect(mark('install', 0)).toBe('==> install 2026-01-31T12:00:00.000Z')
})

test('phases have their lines and durations', () => {
  const lines = [
    mark('fetch', 0),
    'Commit a',
    mark('detect', 1.5),
    mark('build', 2),
    'Step 1/1',
    mark('end', 9),
    'FAILED: x'
  ]
  expect(phasesOf(lines)).toEqual([
    { name: 'fetch', from: 0, to: 2, ms: 1_500 },
    { name: 'detect', from: 2, to: 3, ms: 500 },
    { name: 'build', from: 3, to: 7, ms: 7_000 }
  ])
})

test('a running phase has no duration, and reaches to the end', () => {
  expect(phasesOf(['Note', mark('start', 0), mark('check', 1), 'Waiting'])).toEqual([
    { name: 'start', from: 1, to: 2, ms: 1_000 },
    { name: 'check', from: 2, to: 4, ms: null }
  ])
})

test('a clock that was set back gives no negative duration', () => {
  expect(phasesOf([mark('fetch', 5), mark('detect', 1)])[0]).toMatchObject({ ms: 0 })
})

test.each([
  ['an earlier phase', mark('fetch', 9)],
  ['the same phase', mark('build', 9)],
  ['an unknown phase', '==> deploy 2026-01-31T12:00:00.000Z'],
  ['an impossible time', '==> check 2026-99-31T12:00:00.000Z'],
  ['a mark within a line', ` ${mark('check', 9)}`]
])('build output that looks like %s is a line', (_name, line) => {
  expect(phasesOf([mark('build', 0), line, mark('end', 3)])).toEqual([{ name: 'build', from: 0, to: 3, ms: 3_000 }])
})

test('a log without marks, and an end alone, have no phases', () => {
  expect(phasesOf(['a', 'b'])).toEqual([])
  expect(phasesOf([mark('end', 0), 'FAILED: x'])).toEqual([])
})
