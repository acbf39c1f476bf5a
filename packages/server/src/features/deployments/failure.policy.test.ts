import { expect, test } from 'vitest'
import { exitCodeIn, failureOf, watchErrorLines } from './failure.policy.ts'

function firstOf(log: string): number | undefined {
  const lines = watchErrorLines()
  // Arbitrary pieces, like program output.
  for (let from = 0; from < log.length; from += 7) lines.add(log.slice(from, from + 7))
  return lines.first()
}

test.each([
  ['Step 1/7 : FROM x\n\u001b[31merror\u001b[0m cannot find module\nat x\nFAILED: the build\n', 2],
  ['npm WARN deprecated\n0 errors\nnpm ERR! code 1\nnpm ERR! path\nFAILED: the build\n', 3],
  ['all is well\nFAILED: it took too long\n', 2],
  [`error far away\n${'line\n'.repeat(150)}FAILED: it took too long\n`, 152],
  ['FAILED: first\nLast lines of the output:\n  error: here\n', 1],
  ['Step 3/7 : RUN make error-pages\nfailed-jobs.ts\nFAILED: x\n', 3],
  ['still running, with an error\n', undefined]
])('%j has its first error on line %s', (log, line) => {
  expect(firstOf(log)).toBe(line)
})

test.each([
  ['The command "npm run build" returned a non-zero code: 127', 127],
  ['it exited with code 3 and is being restarted', 3],
  ['it exited with 1', 1],
  ['It took longer than the build timeout of 600 s, which an administrator can change in Settings → Builds', null]
])('%s: %s', (reason, code) => {
  expect(exitCodeIn(reason)).toBe(code)
})

test('the reason is the first line, cut to the length that is shown', () => {
  const last = `\nFAILED: The build failed: non-zero code: 2\nThe last lines:\n  x\n`
  expect(failureOf('BUILD', { lastLine: last, line: 4, sentences: [] })).toEqual({
    phase: 'BUILD',
    reason: 'The build failed: non-zero code: 2',
    sentences: [],
    exitCode: 2,
    line: 4
  })
  expect(
    failureOf('START', { lastLine: `FAILED: ${'x'.repeat(2_000)}\n`, line: undefined, sentences: [] })
  ).toMatchObject({
    reason: 'x'.repeat(500),
    line: null
  })
})

test('sentences are kept only if the log shows them unmasked and uncut', () => {
  const sentences = [{ code: 'NOT_JSON' as const, values: { path: 'package.json', problem: 'Unexpected token' } }]
  const kept = (lastLine: string) => failureOf('BUILD', { lastLine, line: 1, sentences }).sentences
  expect(kept('FAILED: package.json is not valid JSON: Unexpected token\n')).toEqual(sentences)
  expect(kept('FAILED: package.json is not valid JSON: ********\n')).toEqual([])
  expect(kept('FAILED: package.json is not valid JSON: Unexpected\n')).toEqual([])
})
