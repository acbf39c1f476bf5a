import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { ownPathIn } from '../../routes/search.ts'
import card from '../../ui/card.module.css'
import { Filter } from '../../ui/filter.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusShape } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { NotificationTabs } from './notification-tabs.tsx'
import classes from './notifications.module.css'
import { certificateProblemMessages } from '../../ui/shared-texts/certificate-problem.messages.ts'
import { failureMessages } from '../../ui/shared-texts/failure.messages.ts'
import { wordpressProblemMessages } from '../../ui/shared-texts/wordpress-problem.messages.ts'
import { wordpressTaskMessages } from '../../ui/shared-texts/wordpress-task.messages.ts'
import { notificationMessages } from './notifications.messages.ts'
import { notificationsPerPage, notificationsQuery, shows } from './notifications.queries.ts'
import { toneOf } from './severity.ts'
import { useRead } from './use-read.ts'

export function ListTab() {
  const t = useMessages(notificationMessages)
  const search = useSearch({ from: '/signed-in/account/notifications' })
  const { data: list } = useQuery(notificationsQuery(search))
  const read = useRead()
  return (
    <>
      <NotificationTabs />
      <section className={card.card} aria-label={t('tab.list')}>
        <div className={card.toolbar}>
          <Filter
            label={t('show')}
            name="show"
            options={shows.map((value) => ({ value, label: t(`show.${value}`) }))}
            selected={search.show ?? 'all'}
          />
          <span className={card.push} />
          <Button
            variant="default"
            size="xs"
            disabled={!list || list.unread === 0}
            loading={read.isPending && read.variables === undefined}
            onClick={() => read.mutate(undefined)}
          >
            {t('readAll')}
          </Button>
        </div>
        <Rows />
      </section>
    </>
  )
}

function Rows() {
  const t = useMessages(notificationMessages)
  const search = useSearch({ from: '/signed-in/account/notifications' })
  const { data: list, error, refetch } = useQuery(notificationsQuery(search))
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton rows={8} height={64} />
  if (list.notifications.length === 0)
    return search.show === 'unread' ? (
      <EmptyState title={t('noneUnread')} />
    ) : (
      <EmptyState title={t('none')} hint={t('none.hint')} />
    )
  return (
    <>
      <ul className={classes.list}>
        {list.notifications.map((each) => (
          <Row key={each.id} notification={each} />
        ))}
      </ul>
      <Pagination page={search.page ?? 1} limit={notificationsPerPage} total={list.pagination.total} />
    </>
  )
}

const message = {
  text: notificationMessages,
  reason: failureMessages,
  problem: certificateProblemMessages,
  import: wordpressProblemMessages,
  task: wordpressTaskMessages
}

function Row({ notification }: { notification: Schema<'Notification'> }) {
  const { id, kind, severity, subject, text, sentences, link, readAt, createdAt } = notification
  const t = useMessages(notificationMessages)
  const read = useRead()
  const title = t(`kind.${kind}`)
  const path = ownPathIn(link)
  const markRead = () => {
    if (readAt === null) read.mutate(id)
  }
  return (
    <li data-read={readAt === null ? undefined : ''}>
      <span className={classes.shape} data-tone={toneOf[severity]}>
        <StatusShape tone={toneOf[severity]} />
      </span>
      <div>
        <strong>
          {path === undefined ? (
            title
          ) : (
            <Link to={path} onClick={markRead}>
              {title}
            </Link>
          )}
        </strong>{' '}
        <Foreign>{subject.name}</Foreign>
        <p>
          <SentenceText by={message} sentences={sentences}>
            {text}
          </SentenceText>
        </p>
      </div>
      <span className={`${card.sub} ${classes.when}`}>
        <Time at={createdAt} />
      </span>
      {readAt === null ? (
        <IconButton
          label={t('read', { title: `${title}, ${subject.name}` })}
          disabled={read.isPending}
          onClick={markRead}
        >
          <IconCheck size={16} aria-hidden />
        </IconButton>
      ) : (
        <span className={classes.noButton} />
      )}
    </li>
  )
}
