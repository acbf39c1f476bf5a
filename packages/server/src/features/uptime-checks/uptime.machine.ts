import type { UptimeState } from '@panel/contract/uptime-checks'

export type Outcome = 'up' | 'down' | 'unknown'

export interface CheckState {
  state: UptimeState
  /** The outcomes that count, the newest last: u or d each. */
  recent: string
  /** When the first of the failed runs in `recent` was. */
  failingSince: Date | null
}

/** What has happened: the site went down at `since`, or came up. */
type Change = { to: 'DOWN'; since: Date } | { to: 'UP'; from: UptimeState }

export interface Step {
  next: CheckState
  change?: Change
}

/**
 * How a check stands after a run. One that tells nothing changes nothing, and after a time of which nothing is known (`isAfterGap`) the runs
 * before it do not count any more: what failed then and what fails now are not one failure.
 */
export function stepUptime(
  state: CheckState,
  run: { outcome: Outcome; at: Date; retries: number; isAfterGap: boolean }
): Step {
  if (run.outcome === 'unknown') return { next: state }
  const { failed, passed, window } = limitsOf(run.retries)
  const before = run.isAfterGap ? '' : state.recent
  const recent = (before + (run.outcome === 'up' ? 'u' : 'd')).slice(-Math.max(window, passed))
  const failingSince = failingSinceOf(state.failingSince, before, recent, run.at)
  if (state.state === 'DOWN') {
    if (!recent.endsWith('u'.repeat(passed))) return { next: { state: 'DOWN', recent, failingSince } }
    return { next: { state: 'UP', recent: '', failingSince: null }, change: { to: 'UP', from: 'DOWN' } }
  }
  if (run.outcome === 'down' && count(recent.slice(-window), 'd') >= failed)
    return {
      next: { state: 'DOWN', recent: '', failingSince: null },
      change: { to: 'DOWN', since: failingSince ?? run.at }
    }
  if (state.state === 'UP' || run.outcome === 'down')
    return { next: { state: state.state === 'PAUSED' ? 'UNKNOWN' : state.state, recent, failingSince } }
  return { next: { state: 'UP', recent, failingSince }, change: { to: 'UP', from: state.state } }
}

/** Whether the next run comes soon: it may show that the state is another one. */
export const isInDoubt = ({ state, recent }: CheckState): boolean =>
  state === 'DOWN' ? recent.endsWith('u') : recent.endsWith('d')

const limitsOf = (retries: number) => ({
  failed: retries + 1,
  window: 2 * retries + 1,
  passed: Math.min(retries, 1) + 1
})

const count = (text: string, letter: string): number => text.split(letter).length - 1

/** Of one that failed before, as long as a failure of then still counts. */
function failingSinceOf(since: Date | null, before: string, recent: string, at: Date): Date | null {
  if (!recent.includes('d')) return null
  return before.includes('d') && since !== null ? since : at
}
