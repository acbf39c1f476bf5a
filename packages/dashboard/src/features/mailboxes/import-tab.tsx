import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { ImportItem } from './import-item.tsx'
import { importMessages } from './imports.messages.ts'
import classes from './mailboxes.module.css'
import { importsPerPage, importsQuery } from './mailboxes.queries.ts'

const ImportForm = lazy(() => import('./import-form.tsx').then((module) => ({ default: module.ImportForm })))

export function ImportTab() {
  const t = useMessages(importMessages)
  const { mailboxId } = useParams({ from: '/signed-in/mail/$mailboxId/import' })
  const { page = 1 } = useSearch({ from: '/signed-in/mail/$mailboxId/import' })
  const { data: list, error, refetch } = useQuery(importsQuery(mailboxId, page))
  return (
    <>
      <Section title={t('list')}>
        {error && !list && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && !list && <RowsSkeleton rows={2} />}
        {list?.imports.length === 0 && <EmptyState title={t('none')} hint={t('none.hint')} />}
        {list && list.imports.length > 0 && (
          <ul className={classes.imports}>
            {list.imports.map((one) => (
              <ImportItem key={one.id} one={one} />
            ))}
          </ul>
        )}
        {list && <Pagination page={page} limit={importsPerPage} total={list.pagination.total} />}
      </Section>
      <Section title={t('title')} hint={t('hint')}>
        <Suspense fallback={<RowsSkeleton />}>
          <ImportForm mailboxId={mailboxId} />
        </Suspense>
      </Section>
    </>
  )
}
