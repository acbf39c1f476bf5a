import { expect, test } from 'vitest'
import { isInDoubt, type Outcome, type CheckState, stepUptime } from './uptime.machine.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 12, minute))
const outcomes: Record<string, Outcome> = { u: 'up', d: 'down', '?': 'unknown' }

/** Runs by their letters, one a minute; `|` stands for a time of which nothing is known. Resolves with each change and when it was. */
function walk(runs: string, retries: number, from: CheckState['state'] = 'UP') {
  let state: CheckState = { state: from, recent: '', failingSince: null }
  let isAfterGap = false
  const changes: string[] = []
  for (const [minute, letter] of [...runs].entries()) {
    if (letter === '|') {
      isAfterGap = true
      continue
    }
    const { next, change } = stepUptime(state, { outcome: outcomes[letter]!, at: at(minute), retries, isAfterGap })
    if (change?.to === 'DOWN') changes.push(`DOWN at ${minute} since ${change.since.getUTCMinutes()}`)
    if (change?.to === 'UP') changes.push(`UP at ${minute}`)
    state = next
    isAfterGap = false
  }
  return { changes, state }
}

test.each([
  ['one failure', 'ud', 2, []],
  ['failures that are forgiven', 'uddu', 2, []],
  ['the one that is not', 'uddd', 2, ['DOWN at 3 since 1']],
  ['without retries the first', 'ud', 0, ['DOWN at 1 since 1']],
  ['3 of the last 5', 'dudud', 2, ['DOWN at 4 since 0']],
  ['2 of the last 5 and older ones', 'dduuuudd', 2, []],
  ['no change on a run that passes', 'dddu', 3, []],
  ['up again after two that pass', 'ddduu', 2, ['DOWN at 2 since 0', 'UP at 4']],
  ['not after one', 'dddudud', 2, ['DOWN at 2 since 0']],
  ['after one without retries', 'du', 0, ['DOWN at 0 since 0', 'UP at 1']],
  ['unknown between failures changes nothing', 'dd??d', 2, ['DOWN at 4 since 0']],
  ['unknown alone is no alarm', '?????', 0, []],
  ['failures before a gap do not count', 'dd|dd', 2, []],
  ['failures after it do', 'dd|ddd', 2, ['DOWN at 5 since 3']],
  ['what passed before a gap does not count', 'dddu|u', 2, ['DOWN at 2 since 0']]
])('%s: %s', (_what, runs, retries, changes) => {
  expect(walk(runs, retries).changes).toEqual(changes)
})

test.each([
  ['UNKNOWN', 'u', ['UP at 0']],
  ['PAUSED', 'u', ['UP at 0']],
  ['UNKNOWN', 'd', []],
  ['UNKNOWN', '?u', ['UP at 1']]
] as const)('from %s with %s', (state, runs, changes) => {
  expect(walk(runs, 1, state).changes).toEqual(changes)
})

test('what rested and fails is not known until it is sure', () => {
  expect(walk('d', 1, 'PAUSED').state.state).toBe('UNKNOWN')
})

test('what counts stays short however long it runs', () => {
  expect(walk('u'.repeat(50) + 'd'.repeat(9), 5).state.recent.length).toBeLessThanOrEqual(11)
})

test.each([
  ['UP', 'uu', false],
  ['UP', 'ud', true],
  ['UP', '', false],
  ['DOWN', 'd', false],
  ['DOWN', 'u', true]
] as const)('in doubt: %s after %s', (state, recent, expected) => {
  expect(isInDoubt({ state, recent, failingSince: null })).toBe(expected)
})
