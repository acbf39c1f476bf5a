import type { UptimeState } from '@panel/contract/uptime-checks'

export type Outcome = 'up' | 'down' | 'unknown'

export interface CheckState {
  state: UptimeState
  recent: string
  failingSince: Date | null
}

type Change = { to: 'DOWN'; since: Date } | { to: 'UP'; from: UptimeState }

export interface Step {
  next: CheckState
  change?: Change
}

/**
 * State transition after a run. Unknown outcomes change nothing. After a gap (`isAfterGap`) earlier runs no longer
 * count, because failures on both sides may be unrelated.
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

/** Whether to run again soon, because the state may be about to change. */
export const isInDoubt = ({ state, recent }: CheckState): boolean =>
  state === 'DOWN' ? recent.endsWith('u') : recent.endsWith('d')

const limitsOf = (retries: number) => ({
  failed: retries + 1,
  window: 2 * retries + 1,
  passed: Math.min(retries, 1) + 1
})

const count = (text: string, letter: string): number => text.split(letter).length - 1

function failingSinceOf(since: Date | null, before: string, recent: string, at: Date): Date | null {
  if (!recent.includes('d')) return null
  return before.includes('d') && since !== null ? since : at
}
