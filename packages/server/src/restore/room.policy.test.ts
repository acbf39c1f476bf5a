import { expect, test } from 'vitest'
import { roomProblem } from './room.policy.ts'

const mib = 2 ** 20
const need = (directory: string, device: number, bytes: number, freeBytes: number) => ({ directory, device, bytes, freeBytes }) // oxfmt-ignore

test.each([
  ['two file systems, each with room', [need('/a', 1, 5 * mib, 9 * mib), need('/b', 2, 5 * mib, 6 * mib)], undefined],
  ['one that is too small for both', [need('/a', 1, 5 * mib, 9 * mib), need('/b', 1, 5 * mib, 9 * mib)], '/a, /b: the restore needs 10 MiB, 9 MiB are free'], // oxfmt-ignore
  ['the second is full', [need('/a', 1, 5 * mib, 9 * mib), need('/b', 2, 5 * mib, 4 * mib)], '/b: the restore needs 5 MiB, 4 MiB'] // oxfmt-ignore
])('%s', (_name, needs, problem) => {
  if (problem === undefined) expect(roomProblem(needs)).toBeUndefined()
  else expect(roomProblem(needs)).toContain(problem)
})
