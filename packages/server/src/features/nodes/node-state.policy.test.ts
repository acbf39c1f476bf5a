import { expect, test } from 'vitest'
import { nodeProblems, nodeStatus } from './node-state.policy.ts'

const seenAt = new Date()
test.each([
  ['the panel’s own is never away', { isOwn: true, isPaused: false, seenAt: null, missedChecks: 9 }, 'ACTIVE'],
  ['the panel’s own can be paused', { isOwn: true, isPaused: true, seenAt, missedChecks: 0 }, 'PAUSED'],
  ['one never reached', { isOwn: false, isPaused: false, seenAt: null, missedChecks: 5 }, 'JOINING'],
  ['two missed checks', { isOwn: false, isPaused: false, seenAt, missedChecks: 2 }, 'ACTIVE'],
  ['three missed checks', { isOwn: false, isPaused: true, seenAt, missedChecks: 3 }, 'AWAY'],
  ['a paused one', { isOwn: false, isPaused: true, seenAt, missedChecks: 0 }, 'PAUSED']
] as const)('%s', (_, state, status) => {
  expect(nodeStatus(state)).toBe(status)
})

const healthy = {
  facts: {
    system: 'Debian GNU/Linux 12 (bookworm)',
    isDebian: true,
    disk: { totalBytes: 100, usedBytes: 90 },
    clockSkewMs: 1_000
  },
  engineVersion: { value: '20.10.24' },
  panelVersion: { value: '1.0.0' },
  proxy: undefined
}
type Checked = Parameters<typeof nodeProblems>[0]
test.each<[string, Partial<Checked>, string[]]>([
  ['nothing', {}, []],
  ['another system', { facts: { ...healthy.facts, isDebian: false } }, ['NOT_DEBIAN']],
  ['no engine, no helper', { engineVersion: { problem: 'a' }, panelVersion: { problem: 'b' } }, ['ENGINE', 'HELPER']],
  ['another version', { panelVersion: { value: '0.9.0' } }, ['VERSION']],
  ['a clock that is behind', { facts: { ...healthy.facts, clockSkewMs: -1_001 } }, ['CLOCK']],
  ['a proxy that does not serve', { proxy: { problem: 'a' } }, ['PROXY']],
  ['a full disk', { facts: { ...healthy.facts, disk: { totalBytes: 100, usedBytes: 91 } } }, ['DISK']]
])('a check finds %s', (_, values, codes) => {
  expect(nodeProblems({ ...healthy, ...values }, '1.0.0').map(({ code }) => code)).toEqual(codes)
})
