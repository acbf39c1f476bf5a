/** Results of one part of a test run. */
export interface TestResults {
  part: string
  seconds: number
  files: readonly FileResult[]
  /** Failures outside of every test: of vitest itself, or of a hook. */
  broken: number
}

export interface FileResult {
  /** Vitest project, or `check`. */
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
  /** Error of the failed first attempt. */
  error?: string
}

const shownSlowest = 10

/** The slowest tests and files, retried and failed tests with their first error, and as last line what CI reads. */
export function summaryOf(results: readonly Pick<TestResults, 'files' | 'broken'>[]): string[] {
  const files = results.flatMap((result) => result.files)
  const tests = testsOf(files)
  const again = tests.filter((test) => test.neededSecondTry && !test.isFailed)
  const failed = tests.filter((test) => test.isFailed)
  const counts = countsOf(results)
  return [
    'Slowest tests:',
    ...slowest(tests).map(({ name, seconds }) => timed(seconds, name)),
    '',
    'Slowest files:',
    ...slowest(files).map(({ path, project, seconds }) => timed(seconds, `${path} (${project})`)),
    '',
    ...(again.length === 0 ? [] : ['These tests passed on the second attempt:', ...again.flatMap(withError), '']),
    ...(failed.length === 0 ? [] : ['These tests failed:', ...failed.flatMap(withError), '']),
    `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`
  ]
}

export function countsOf(results: readonly Pick<TestResults, 'files' | 'broken'>[]) {
  const files = results.flatMap((result) => result.files)
  const sum = (member: 'passed' | 'failed' | 'skipped') => files.reduce((total, file) => total + file[member], 0)
  const broken = results.reduce((total, result) => total + result.broken, 0)
  const retried = testsOf(files).filter((test) => test.neededSecondTry).length
  return { passed: sum('passed'), failed: sum('failed') + broken, skipped: sum('skipped'), retried }
}

const testsOf = (files: readonly FileResult[]) =>
  files.flatMap(({ path, tests }) => tests.map((test) => ({ ...test, name: `${path} > ${test.name}` })))

const slowest = <T extends { seconds: number }>(of: readonly T[]): T[] =>
  [...of].sort((a, b) => b.seconds - a.seconds).slice(0, shownSlowest)

const timed = (seconds: number, name: string): string => `${seconds.toFixed(1).padStart(8)} s  ${name}`

const withError = ({ name, error }: TestResult): string[] => [
  `  ${name}`,
  ...(error === undefined ? [] : [`      ${error}`])
]
