import { expect, test } from 'vitest'
import { failureHint } from './failure-hint.ts'

const limits = { memoryBytes: 96 * 2 ** 20, pids: 64 }
const code = (number: number) => `The command 'x' returned a non-zero code: ${number}`

test.each<[string, string, string[], RegExp | undefined]>([
  ['an ordinary failure', code(1), ['error: no such file'], undefined],
  ['a killed command', code(137), ['compiling'], /BUILD_MEMORY_LIMIT \(96 MiB\)/],
  ['a killed child', code(1), ['npm error signal SIGKILL'], /BUILD_MEMORY_LIMIT/],
  [
    "a full heap of Node's own",
    code(134),
    ['FATAL ERROR: Reached heap limit - JavaScript heap out of memory'],
    /BUILD_MEMORY_LIMIT/
  ],
  ['dash without processes', code(2), ['/bin/sh: 0: Cannot fork'], /BUILD_PIDS_LIMIT \(64\)/],
  ['bash without processes', code(254), ['bash: fork: retry: Resource temporarily unavailable'], /BUILD_PIDS_LIMIT/],
  ['busybox without processes', code(2), ["sh: can't fork: Resource temporarily unavailable"], /BUILD_PIDS_LIMIT/],
  ['Node.js without processes', code(1), ['Error: spawn sh EAGAIN'], /BUILD_PIDS_LIMIT/],
  [
    'sharp of before its binaries were packages',
    code(1),
    ['npm error sharp: Installation error: getaddrinfo ENOTFOUND github.com'],
    /"overrides": {"sharp": "\^0.33.5"}.*Dockerfile/
  ]
])('%s', (_name, message, lines, hint) => {
  if (hint) expect(failureHint(message, lines, limits)).toMatch(hint)
  else expect(failureHint(message, lines, limits)).toBeUndefined()
})
