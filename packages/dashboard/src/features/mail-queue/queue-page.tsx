import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Filter } from '../../ui/filter.tsx'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { mailQueueMessages } from './mail-queue.messages.ts'
import { messagesPerPage, mostListed, queueFlags, queueQuery } from './mail-queue.queries.ts'
import { QueueTable } from './queue-table.tsx'

export function QueuePage() {
  const t = useMessages(mailQueueMessages)
  const search = useSearch({ from: '/signed-in/mail/queue' })
  const { error } = useQuery(queueQuery(search))
  const flush = useAction({
    run: () => data(api.POST('/api/mail/queue/flush')),
    invalidates: [['mail-queue']],
    done: () => t('flushed.all')
  })
  return (
    <section className={card.card} aria-label={t('title')}>
      <div className={card.toolbar}>
        <SearchBox label={t('search')} />
        <Flags />
        <span className={card.push} />
        <Button disabled={error !== null} loading={flush.isPending} onClick={() => flush.start()}>
          {t('flush.all')}
        </Button>
      </div>
      <Rows />
    </section>
  )
}

function Flags() {
  const t = useMessages(mailQueueMessages)
  const { flagged } = useSearch({ from: '/signed-in/mail/queue' })
  const options = [
    { value: 'all', label: t('all') },
    ...queueFlags.map((value) => ({ value, label: t(`flag.${value}`) }))
  ] as const
  return <Filter label={t('state')} name="flagged" options={options} selected={flagged ?? 'all'} />
}

function Rows() {
  const t = useMessages(mailQueueMessages)
  const search = useSearch({ from: '/signed-in/mail/queue' })
  const { data: list, error, refetch } = useQuery(queueQuery(search))
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton rows={8} height={64} />
  const { messages, pagination } = list
  const isFiltered = search.q !== undefined || search.flagged !== undefined
  if (pagination.total === 0 && !isFiltered) return <EmptyState title={t('empty')} hint={t('empty.hint')} />
  if (pagination.total === 0)
    return <NothingMatches hint={t('none.hint')} filters={[search.flagged && t(`flag.${search.flagged}`)]} />
  return (
    <>
      {pagination.total > mostListed && (
        <Notice tone="info">{t('most', { count: pagination.total, most: mostListed })}</Notice>
      )}
      <QueueTable messages={messages} />
      <Pagination page={search.page ?? 1} limit={messagesPerPage} total={Math.min(pagination.total, mostListed)} />
    </>
  )
}
