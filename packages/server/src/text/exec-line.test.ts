import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { execLine } from './exec-line.ts'

test.each([
  ['node worker.js', 'exec node worker.js'],
  ['node worker.js --name "a b" $QUEUE', 'exec node worker.js --name "a b" $QUEUE'],
  ['RAILS_ENV=production bundle exec sidekiq', 'exec env RAILS_ENV=production bundle exec sidekiq'],
  ['A="x y" B=\\ z C=\'1 2\' node worker.js', 'exec env A="x y" B=\\ z C=\'1 2\' node worker.js'],
  ['cd jobs && node worker.js', 'cd jobs && exec node worker.js'],
  ['sleep 1; A=1 B=2 node worker.js', 'sleep 1; exec env A=1 B=2 node worker.js']
])('%s', (line, expected) => {
  expect(execLine(line)).toBe(expected)
})

test.each([
  'exec node worker.js',
  'A="x y" exec node worker.js',
  'A=1',
  'node a.js & node b.js',
  'node a.js || node b.js',
  'node a.js | logger',
  'node a.js > log',
  'echo $(id)',
  'while true; do node a.js; done',
  'python -c "a; b"',
  "sh -c 'a && b'",
  'cd jobs && cd more',
  'node a.js;',
  ''
])('%j stays as it is', (line) => {
  expect(execLine(line)).toBe(line)
})

test('the shell runs the program with the variables and directory of the line', () => {
  const line = execLine('cd / && A=1 printenv A PWD')
  expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })).toBe('1\n/\n')
})
