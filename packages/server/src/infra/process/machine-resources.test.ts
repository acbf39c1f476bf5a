import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { parseOpenFilesLimit } from './machine-resources.ts'

test.each([
  [
    'Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 524288               files     \n',
    1024
  ],
  ['Max open files            unlimited            unlimited            files     \n', Number.MAX_SAFE_INTEGER],
  ['', 1024]
])('the soft limit of open files', (text, limit) => {
  expect(parseOpenFilesLimit(text)).toBe(limit)
})

test('Node.js raises its soft limit to the hard limit', () => {
  const script = "process.stdout.write(require('node:fs').readFileSync('/proc/self/limits', 'utf8'))"
  const limits = execFileSync('prlimit', ['--nofile=500:1000', process.execPath, '-e', script], { encoding: 'utf8' })
  expect(parseOpenFilesLimit(limits)).toBe(1000)
})
