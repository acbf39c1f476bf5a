import type { Schema } from '../../api/client.ts'
import type { Tone } from '../../ui/tone.ts'

export const toneOf: Readonly<Record<Schema<'Notification'>['severity'], Tone>> = {
  problem: 'bad',
  warning: 'warn',
  info: 'info',
  good: 'ok'
}
