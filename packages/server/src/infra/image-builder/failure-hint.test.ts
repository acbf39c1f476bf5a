import { expect, test } from 'vitest'
import { failureHint } from './failure-hint.ts'

const limits = { memoryBytes: 96 * 2 ** 20, pids: 64 }
const code = (number: number) => `The command 'x' returned a non-zero code: ${number}`

test.each<[string, string, string[], RegExp | undefined]>([
  ['an ordinary failure', code(1), ['error: no such file'], undefined],
  ['a killed command', code(137), ['compiling'], /96 MiB of memory/],
  ['with BuildKit', 'process "x" did not complete successfully: exit code: 137', ['compiling'], /96 MiB of memory/],
  ['a killed child', code(1), ['npm error signal SIGKILL'], /MiB of memory/],
  [
    "a full heap of Node's own",
    code(134),
    ['FATAL ERROR: Reached heap limit - JavaScript heap out of memory'],
    /MiB of memory/
  ],
  ['dash without processes', code(2), ['/bin/sh: 0: Cannot fork'], /64 processes/],
  [
    'bash without processes',
    code(254),
    ['bash: fork: retry: Resource temporarily unavailable'],
    /limit of \d+ processes/
  ],
  [
    'busybox without processes',
    code(2),
    ["sh: can't fork: Resource temporarily unavailable"],
    /limit of \d+ processes/
  ],
  ['Node.js without processes', code(1), ['Error: spawn sh EAGAIN'], /limit of \d+ processes/],
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
