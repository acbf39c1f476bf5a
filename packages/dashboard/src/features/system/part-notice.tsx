import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { remedyMessages } from '../../ui/shared-texts/remedy.messages.ts'
import { meQuery } from '../auth/me.queries.ts'
import type { Part } from './health.queries.ts'
import { systemMessages } from './system.messages.ts'

export function PartNotice({ part, state }: { part: Part; state: Schema<'Health'>['parts'][string] | undefined }) {
  const t = useMessages(systemMessages)
  const { data: me } = useQuery(meQuery)
  return (
    <Notice tone="warn">
      {t(`away.${part}`)}{' '}
      {me?.role !== 'ADMIN' ? (
        t('away.wait')
      ) : (
        <SentenceText by={{ remedy: remedyMessages }} sentences={state?.sentences ?? []}>
          {state?.remedy ?? ''}
        </SentenceText>
      )}
    </Notice>
  )
}
