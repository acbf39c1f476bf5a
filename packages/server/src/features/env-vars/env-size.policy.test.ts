import { expect, test } from 'vitest'
import { environmentProblem } from './env-size.policy.ts'

const variables = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, value]))

test.each([
  ['none', {}, undefined],
  ['27 of 64 KiB', variables(27, 'x'.repeat(65_536)), undefined],
  ['28 of 64 KiB', variables(28, 'x'.repeat(65_536)), /take 1792 KiB together; a process can be given 1792 KiB/],
  ['bytes count, not characters', variables(28, 'ü'.repeat(32_768)), /1792 KiB/],
  ['very many short ones', variables(200_000, ''), /KiB together/]
])('%s', (_name, env, problem) => {
  if (problem) expect(environmentProblem(env)).toMatch(problem)
  else expect(environmentProblem(env)).toBeUndefined()
})
