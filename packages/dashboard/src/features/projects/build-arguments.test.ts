import { expect, test } from 'vitest'
import { argumentLines, readArgumentLines } from './build-arguments.ts'

test.each([
  ['', null],
  [' \n', null],
  ['A=1\nB=x=y z\n', { A: '1', B: 'x=y z' }],
  ['A', { A: '' }]
])('%j', (text, values) => {
  expect(readArgumentLines(text)).toEqual(values)
  expect(readArgumentLines(argumentLines(values))).toEqual(values)
})
