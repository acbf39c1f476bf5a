import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { meQuery } from '../auth/me.queries.ts'
import type { Part } from './health.queries.ts'
import { systemMessages } from './system.messages.ts'

/** What does not answer, what that means here, and to who can do something about it, what. */
export function PartNotice({ part, remedy }: { part: Part; remedy: string | undefined }) {
  const t = useMessages(systemMessages)
  const { data: me } = useQuery(meQuery)
  return (
    <Notice tone="warn">
      {t(`away.${part}`)} {me?.role === 'ADMIN' ? remedy : t('away.wait')}
    </Notice>
  )
}
