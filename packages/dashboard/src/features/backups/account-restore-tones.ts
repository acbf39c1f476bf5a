import type { Tone } from '../../ui/tone.ts'
import type { AccountRestore, AccountRestoreItem } from './account-restores.queries.ts'

export const accountRestoreTones: Record<AccountRestore['status'], Tone> = {
  PLANNING: 'info',
  PLANNED: 'warn',
  STARTING: 'info',
  RUNNING: 'info',
  COMPLETED: 'ok',
  FAILED: 'bad',
  UNDONE: 'idle'
}

export const accountItemTones: Record<AccountRestoreItem['change'], Tone> = {
  RETURNS: 'ok',
  EXCHANGED: 'warn',
  BESIDE: 'info',
  STAYS: 'idle',
  REFUSED: 'bad',
  SKIPPED: 'idle'
}
