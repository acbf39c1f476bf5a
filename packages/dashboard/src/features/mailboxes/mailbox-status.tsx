import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { mailboxMessages } from './mailboxes.messages.ts'

export function MailboxStatus({ mailbox: { enabled, autoreply } }: { mailbox: Schema<'Mailbox'> }) {
  const t = useMessages(mailboxMessages)
  if (!enabled) return <StatusBadge tone="idle">{t('state.off')}</StatusBadge>
  if (autoreply) return <StatusBadge tone="info">{t('state.away')}</StatusBadge>
  return <StatusBadge tone="ok">{t('state.on')}</StatusBadge>
}
