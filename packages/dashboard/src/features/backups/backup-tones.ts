import type { Tone } from '../../ui/tone.ts'
import type { Backup } from './backups.queries.ts'

export const backupTones: Record<Backup['status'], Tone> = {
  QUEUED: 'idle',
  RUNNING: 'info',
  GOOD: 'ok',
  FAILED: 'bad'
}
