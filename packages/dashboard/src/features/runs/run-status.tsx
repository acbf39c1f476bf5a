import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { isOpen, type Run } from './runs.queries.ts'
import { runMessages } from './runs.messages.ts'

const tones: Record<Run['status'], Tone> = {
  QUEUED: 'idle',
  RUNNING: 'info',
  SUCCEEDED: 'ok',
  FAILED: 'bad',
  TIMED_OUT: 'bad',
  STOPPED: 'idle',
  SKIPPED: 'idle'
}

export function RunStatus({ run }: { run: Run }) {
  const t = useMessages(runMessages)
  return (
    <StatusBadge tone={tones[run.status]} isBusy={isOpen(run)}>
      {t(`status.${run.status}`)}
    </StatusBadge>
  )
}

/** Why a run did not succeed, or undefined. */
export function useRunReason() {
  const t = useMessages(runMessages)
  return ({ problem, exitCode }: Run): string | undefined => {
    if (problem !== null) return t(`problem.${problem}`)
    return exitCode === null || exitCode === 0 ? undefined : t('exit', { status: String(exitCode) })
  }
}
