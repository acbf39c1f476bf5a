import { describe, expect, test } from 'vitest'
import { copyProblems } from '../../infra/mailbox-copier/mailbox-copier.ts'
import { afterProblem } from './import-problem.policy.ts'

const now = new Date('2026-02-03T04:05:06Z')
const attempt = { host: 'imap.example.net', port: 993, createdAt: now, failures: 0 }
const after = (problem: (typeof problems)[number], more: Partial<typeof attempt> = {}, detail?: string) =>
  afterProblem(problem, detail, { ...attempt, ...more }, now)
const problems = copyProblems.filter((problem) => problem !== 'aborted')

test.each(problems)('%s: the message tells what to do', (problem) => {
  expect(after(problem, {}, 'a word').reason).toMatch(/[;.] ?\w.*$/)
  expect(after(problem).reason).not.toMatch(/undefined|\(\)|: *\)/)
})

test('the message contains the response of the source server', () => {
  expect(after('log-in-refused', {}, 'Invalid credentials').reason).toContain('(it responded: Invalid credentials)')
})

describe('retries', () => {
  test.each([
    ['connection-lost', 0, 10],
    ['connection-lost', 1, 30],
    ['unreachable', 6, 3_600],
    ['mail-server-unavailable', 3, 300]
  ] as const)('%s after %i failures: retry in %i s', (problem, failures, seconds) =>
    expect(after(problem, { failures }).retryAt).toEqual(new Date(now.getTime() + seconds * 1_000))
  )

  test.each([
    ['connection-lost', { failures: 7 }],
    ['connection-lost', { createdAt: new Date('2026-01-20T00:00:00Z') }],
    ['log-in-refused', {}],
    ['mailbox-full', {}],
    ['certificate-refused', {}],
    ['address-refused', {}]
  ] as const)('%s with %o: no retry', (problem, more) => expect(after(problem, more).retryAt).toBeUndefined())
})
