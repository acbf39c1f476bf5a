import { Button } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { deletedMessages } from './deleted.messages.ts'
import classes from './mailboxes.module.css'
import { deletedQuery, mailPerPage } from './mailboxes.queries.ts'

const ConfirmName = lazy(() => import('../../ui/confirm-name.tsx').then((module) => ({ default: module.ConfirmName })))

type Deleted = Schema<'DeletedMailbox'>

export function DeletedList() {
  const t = useMessages(deletedMessages)
  const { page = 1 } = useSearch({ from: '/signed-in/mail/deleted' })
  const { data: list, error, refetch } = useQuery(deletedQuery(page))
  const [requested, setRequested] = useState<Deleted>()
  const purge = useAction({
    run: (id: string) => data(api.DELETE('/api/mail/deleted-mailboxes/{id}', { params: { path: { id } } })),
    invalidates: [['mailboxes', 'deleted']],
    done: () => t('purged'),
    onDone: () => setRequested(undefined)
  })
  return (
    <section className={card.card} aria-label={t('title')}>
      {error && !list && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !list && <RowsSkeleton />}
      {list?.mailboxes.length === 0 && <EmptyState title={t('none')} hint={t('none.hint')} />}
      {list && list.mailboxes.length > 0 && (
        <>
          <table className={`${card.table} ${card.cards} ${classes.table}`}>
            <thead>
              <tr>
                <th scope="col">{t('address')}</th>
                <th scope="col">{t('when')}</th>
                <th scope="col">{t('until')}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {list.mailboxes.map((mailbox) => (
                <Row key={mailbox.id} mailbox={mailbox} onPurge={() => setRequested(mailbox)} />
              ))}
            </tbody>
          </table>
          <Pagination page={page} limit={mailPerPage} total={list.pagination.total} />
        </>
      )}
      {requested && (
        <Suspense fallback={null}>
          <ConfirmName
            title={t('purge', { address: requested.address })}
            name={requested.address}
            action={t('purge.now')}
            isPending={purge.isPending}
            onConfirm={() => purge.start(requested.id)}
            onClose={() => setRequested(undefined)}
          >
            {t('purge.hint')}
          </ConfirmName>
        </Suspense>
      )}
    </section>
  )
}

function Row({ mailbox: { id, address, deletedAt, purgeAt }, onPurge }: { mailbox: Deleted; onPurge(): void }) {
  const t = useMessages(deletedMessages)
  const navigate = useNavigate()
  const restore = useAction({
    run: () => data(api.POST('/api/mail/deleted-mailboxes/{id}/restore', { params: { path: { id } } })),
    invalidates: [['mailboxes']],
    done: () => t('restored', { address }),
    onDone: (mailbox) => void navigate({ to: '/mail/$mailboxId', params: { mailboxId: mailbox.id } })
  })
  return (
    <tr>
      <td className={classes.name}>
        <strong className={classes.address}>
          <CutName name={address} tail={16} />
        </strong>
      </td>
      <td className={`${card.sub} ${classes.wide}`}>
        <Time at={deletedAt} />
      </td>
      <td className={card.sub}>
        <Time at={purgeAt} />
      </td>
      <td className={`${card.end} ${classes.acts} ${classes.below}`}>
        <span className={classes.buttons}>
          <Button size="xs" variant="default" loading={restore.isPending} onClick={() => restore.start()}>
            {t('restore')}
            <span className="vh"> {address}</span>
          </Button>
          <a
            className={classes.iconLink}
            href={`/api/mail/deleted-mailboxes/${id}/export`}
            download
            aria-label={t('download', { address })}
            title={t('download', { address })}
          >
            <IconDownload size={16} aria-hidden />
          </a>
          <IconButton label={t('purge', { address })} onClick={onPurge}>
            <IconTrash size={16} aria-hidden />
          </IconButton>
        </span>
      </td>
    </tr>
  )
}
