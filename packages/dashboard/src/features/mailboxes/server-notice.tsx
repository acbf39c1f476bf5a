import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './mailboxes.module.css'
import { mailboxMessages } from './mailboxes.messages.ts'
import { mailStatusQuery } from './mail-delivery.queries.ts'

export function ServerNotice() {
  const t = useMessages(mailboxMessages)
  const { data: status } = useQuery(mailStatusQuery)
  if (!status) return null
  const unavailable = [
    ...(status.status === 'running' ? [] : [t('away.smtp')]),
    ...(status.imap.status === 'running' ? [] : [t('away.imap')]),
    ...(status.spamFilter.status === 'stopped' ? [t('away.filter')] : [])
  ]
  if (unavailable.length === 0) return null
  return (
    <div className={classes.notices}>
      {unavailable.map((sentence) => (
        <Notice key={sentence} tone="warn">
          {sentence}
        </Notice>
      ))}
    </div>
  )
}
