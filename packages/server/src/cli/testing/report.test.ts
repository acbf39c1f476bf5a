import { expect, test } from 'vitest'
import { type FileResult, summaryOf } from './report.ts'

const file = (path: string, seconds: number, more: Partial<FileResult> = {}): FileResult => ({
  project: 'e2e',
  path,
  seconds,
  passed: 1,
  failed: 0,
  skipped: 0,
  tests: [{ name: `of ${path}`, seconds: seconds / 2, neededSecondTry: false, isFailed: false }],
  ...more
})

test('names the ten slowest, and ends with the line that CI reads', () => {
  const lines = summaryOf([{ files: Array.from({ length: 12 }, (_, n) => file(`${n}.test.ts`, n)), broken: 0 }])
  expect(lines.slice(0, 3)).toEqual([
    'Slowest tests:',
    '     5.5 s  11.test.ts > of 11.test.ts',
    '     5.0 s  10.test.ts > of 10.test.ts'
  ])
  expect(lines).toContain('    11.0 s  11.test.ts (e2e)')
  expect(lines.join('\n')).not.toContain(' 1.test.ts')
  expect(lines.at(-1)).toBe('12 passed, 0 failed')
})

test('names every test that passed on the second attempt, even fast ones', () => {
  const slow = Array.from({ length: 12 }, (_, n) => file(`${n}.test.ts`, 100 + n))
  const shaky = file('shaky.test.ts', 1, {
    tests: [{ name: 'is shaky', seconds: 0, neededSecondTry: true, isFailed: false, error: 'too late (a.ts:3)' }]
  })
  const lines = summaryOf([{ files: [...slow, shaky], broken: 0 }])
  expect(lines.slice(lines.indexOf('These tests passed on the second attempt:') + 1).slice(0, 2)).toEqual([
    '  shaky.test.ts > is shaky',
    '      too late (a.ts:3)'
  ])
})

test('names what failed, and why', () => {
  const ill = file('ill.test.ts', 1, {
    failed: 1,
    tests: [{ name: 'is ill', seconds: 0, neededSecondTry: true, isFailed: true, error: 'never comes' }]
  })
  const lines = summaryOf([{ files: [ill], broken: 0 }])
  expect(lines).not.toContain('These tests passed on the second attempt:')
  expect(lines.slice(lines.indexOf('These tests failed:') + 1).slice(0, 2)).toEqual([
    '  ill.test.ts > is ill',
    '      never comes'
  ])
})

test('counts failures, skipped tests, and errors outside of tests', () => {
  const files = [file('a.test.ts', 1, { failed: 2 }), file('b.test.ts', 1, { skipped: 3 })]
  expect(summaryOf([{ files, broken: 1 }]).at(-1)).toBe('2 passed, 3 failed, 3 skipped')
})
