import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Meter } from '../../ui/meter.tsx'
import { mailboxMessages } from './mailboxes.messages.ts'

const mib = 1024 ** 2

export function MailboxUsage({ mailbox: { address, usage, quota } }: { mailbox: Schema<'Mailbox'> }) {
  const t = useMessages(mailboxMessages)
  const { bytes } = useI18n()
  if (usage === null) return <>{t('usage.unknown', { quota: bytes(quota * mib) })}</>
  return (
    <Meter label={t('usage.of', { address })} used={usage.bytes} of={quota * mib}>
      {t('usage', { used: bytes(usage.bytes), quota: bytes(quota * mib) })}
    </Meter>
  )
}
