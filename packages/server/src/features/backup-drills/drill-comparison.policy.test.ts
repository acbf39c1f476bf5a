import { expect, test } from 'vitest'
import { databaseProblem, dumpProblem, filesProblem, scratchBytes } from './drill-comparison.policy.ts'

const backedUp = { name: 'shop', tables: 3, rows: 10, sha256: 'abc' }

test.each([
  ['equal files', filesProblem({ files: 2, bytes: 9 }, { files: 2, bytes: 9 }), false],
  ['a missing file', filesProblem({ files: 2, bytes: 9 }, { files: 1, bytes: 9 }), true],
  ['a shorter file', filesProblem({ files: 2, bytes: 9 }, { files: 2, bytes: 8 }), true],
  ['the dump', dumpProblem(backedUp, 'abc'), false],
  ['another dump', dumpProblem(backedUp, 'abd'), true],
  ['no dump', dumpProblem(backedUp, undefined), true],
  ['an equal database', databaseProblem(backedUp, { tables: 3, rows: 10 }), false],
  ['a missing table', databaseProblem(backedUp, { tables: 2, rows: 10 }), true],
  ['a missing row', databaseProblem(backedUp, { tables: 3, rows: 9 }), true],
  ['a backup that did not count rows', databaseProblem({ ...backedUp, rows: undefined }, { tables: 3, rows: 9 }), false]
])('%s', (_name, problem, isProblem) => {
  expect(problem !== undefined).toBe(isProblem)
})

test('room is needed for the files, and three times for each database', () => {
  expect(scratchBytes(100, [{ bytes: 10 }, { bytes: 5 }])).toBe(145)
})
