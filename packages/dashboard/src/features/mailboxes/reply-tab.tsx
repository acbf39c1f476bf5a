import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { replyQuery } from './mailboxes.queries.ts'
import { replyMessages } from './reply.messages.ts'

const ReplyForm = lazy(() => import('./reply-form.tsx').then((module) => ({ default: module.ReplyForm })))

export function ReplyTab() {
  const t = useMessages(replyMessages)
  const { mailboxId } = useParams({ from: '/signed-in/mail/$mailboxId/reply' })
  const { data: reply, error, refetch } = useQuery(replyQuery(mailboxId))
  if (error && reply === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (reply === undefined) return <RowsSkeleton />
  return (
    <Section title={t('title')} hint={t('hint')}>
      <Suspense fallback={<RowsSkeleton />}>
        <Now reply={reply} />
        <ReplyForm key={JSON.stringify(reply)} mailboxId={mailboxId} reply={reply} />
      </Suspense>
    </Section>
  )
}

function Now({ reply }: { reply: Schema<'Autoreply'> | null }) {
  const t = useMessages(replyMessages)
  const { dateTime } = useI18n()
  const [now] = useState(Date.now)
  if (reply === null) return <Notice tone="idle">{t('is.none')}</Notice>
  if (reply.until !== null && Date.parse(reply.until) <= now) return <Notice tone="warn">{t('is.over')}</Notice>
  if (reply.from !== null && Date.parse(reply.from) > now)
    return <Notice tone="info">{t('is.later', { time: dateTime(reply.from) })}</Notice>
  return <Notice tone="ok">{t('is.now')}</Notice>
}
