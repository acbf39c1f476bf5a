import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { domainMessages } from './domains.messages.ts'
import type { DomainStatus as Status } from './domains.queries.ts'

const tones: Record<Status, Tone> = { PENDING: 'warn', ACTIVE: 'ok', ERROR: 'bad' }

export function DomainStatus({ status }: { status: Status }) {
  const t = useMessages(domainMessages)
  return <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>
}
