import { expect, test } from 'vitest'
import { machinesWithoutSpare } from './spare-memory.policy.ts'

const gib = 2 ** 30
const machine = (id: string, promised: number, total: number, values: { isOwn?: true; status?: 'AWAY' } = {}) => ({
  id,
  isOwn: false,
  roles: ['SITES' as const],
  status: 'ACTIVE' as const,
  memory: { totalBytes: total * gib, usedBytes: 0 },
  promised: { memoryBytes: promised * gib, cpus: 0 },
  ...values
})
const found = (...machines: ReturnType<typeof machine>[]) => machinesWithoutSpare(machines).map(({ id }) => id)

test.each([
  ['one machine', [machine('a', 9, 8, { isOwn: true })], []],
  ['room on the other', [machine('a', 4, 8, { isOwn: true }), machine('b', 4, 8)], []],
  ['too little on the other', [machine('a', 5, 8, { isOwn: true }), machine('b', 4, 8)], ['b']],
  ['promised more than it has', [machine('a', 9, 8, { isOwn: true }), machine('b', 1, 8), machine('c', 2, 8)], []],
  ['the other does not respond', [machine('a', 8, 8, { isOwn: true }), machine('b', 1, 8), machine('c', 0, 8, { status: 'AWAY' })], ['b']] // oxfmt-ignore
])('%s', (_, machines, expected) => {
  expect(found(...machines)).toEqual(expected)
})
