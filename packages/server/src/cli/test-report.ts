/** What a run of tests came to. */
export interface TestResults {
  files: readonly FileResult[]
  /** Failures that no test has: of vitest itself, or outside of every test. */
  broken: number
}

export interface FileResult {
  /** Of vitest: unit, api, e2e, e2e-alone. */
  project: string
  /** From the root of the repository. */
  path: string
  /** With its hooks. */
  seconds: number
  passed: number
  failed: number
  skipped: number
  tests: readonly TestResult[]
}

interface TestResult {
  name: string
  seconds: number
  neededSecondTry: boolean
  isFailed: boolean
  /** Why its first try failed, and where. */
  error?: string
}

const shownSlowest = 10

/** The slowest tests and files, the tests that needed a second try or failed, with what their first try met, and as the last line what CI reads. */
export function summaryOf({ files, broken }: TestResults): string[] {
  const tests = files.flatMap(({ path, tests: own }) =>
    own.map((test) => ({ ...test, name: `${path} > ${test.name}` }))
  )
  const again = tests.filter((test) => test.neededSecondTry && !test.isFailed)
  const failed = tests.filter((test) => test.isFailed)
  const sum = (member: 'passed' | 'failed' | 'skipped') => files.reduce((total, file) => total + file[member], 0)
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
  return [
    'The slowest tests:',
    ...slowest(tests).map(({ name, seconds }) => timed(seconds, name)),
    '',
    'The slowest files:',
    ...slowest(files).map(({ path, project, seconds }) => timed(seconds, `${path} (${project})`)),
    '',
    again.length === 0 ? 'No test needed a second try.' : 'These tests needed a second try:',
    ...again.flatMap(withError),
    '',
    ...(failed.length === 0 ? [] : ['These tests failed:', ...failed.flatMap(withError), '']),
    `${sum('passed')} passed, ${sum('failed') + broken} failed${skipped}`
  ]
}

const slowest = <T extends { seconds: number }>(of: readonly T[]): T[] =>
  [...of].sort((a, b) => b.seconds - a.seconds).slice(0, shownSlowest)

const timed = (seconds: number, name: string): string => `${seconds.toFixed(1).padStart(8)} s  ${name}`

const withError = ({ name, error }: TestResult): string[] => [
  `  ${name}`,
  ...(error === undefined ? [] : [`      ${error}`])
]
