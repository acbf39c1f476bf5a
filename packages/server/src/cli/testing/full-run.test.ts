import { expect, test } from 'vitest'
import { fullRunOf, planAreas } from './full-run.ts'

const file = (path: string, seconds: number) => ({
  project: 'e2e',
  path,
  seconds,
  passed: 1,
  failed: 0,
  skipped: 0,
  tests: []
})

test('a full run is summed up by area, and by file above a second', () => {
  const files = [
    file('e2e/mail/a.test.ts', 10),
    file('e2e/mail/b.test.ts', 0.4),
    file('packages/x.test.ts', 3),
    file('packages/x.test.ts', 4)
  ]
  expect(fullRunOf('abc', new Date(0), 99.6, files)).toEqual({
    commit: 'abc',
    date: '1970-01-01T00:00:00.000Z',
    seconds: 100,
    areas: { mail: 10 },
    files: { 'e2e/mail/a.test.ts': 10, 'packages/x.test.ts': 7 }
  })
})

test.each([
  [1_000, ['dns', 'git', 'mail'], ['new']],
  [150, ['dns', 'git'], ['mail', 'new']],
  [0, [], ['dns', 'git', 'mail', 'new']]
])('with %i seconds left, %j run', (secondsLeft, run, notRun) => {
  const known = { areas: { mail: 400, dns: 100, git: 200 } }
  expect(planAreas(['mail', 'new', 'dns', 'git'], known, secondsLeft)).toEqual({ run, notRun })
})
