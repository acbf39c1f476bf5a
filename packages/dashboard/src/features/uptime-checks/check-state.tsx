import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { uptimeMessages } from './uptime-checks.messages.ts'
import type { UptimeCheck } from './uptime-checks.queries.ts'

const tones: Record<UptimeCheck['state'], Tone> = { UP: 'ok', DOWN: 'bad', UNKNOWN: 'idle', PAUSED: 'idle' }

export function CheckState({ state }: { state: UptimeCheck['state'] }) {
  const t = useMessages(uptimeMessages)
  return <StatusBadge tone={tones[state]}>{t(`state.${state}`)}</StatusBadge>
}
