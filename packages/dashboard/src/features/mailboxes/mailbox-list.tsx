import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useQuotaNote } from '../../ui/use-quota-note.tsx'
import { useResources } from '../overview/overview.queries.ts'
import { MailToolbar } from './mail-toolbar.tsx'
import { MailboxTable } from './mailbox-table.tsx'
import { mailboxMessages } from './mailboxes.messages.ts'
import { mailDomainsQuery } from './mail-domains.queries.ts'
import { mailboxesQuery, mailPerPage } from './mailboxes.queries.ts'
import { useDomainName } from './use-domain-name.ts'

const AddMailbox = lazy(() => import('./add-mailbox.tsx').then((module) => ({ default: module.AddMailbox })))

export function MailboxList() {
  const t = useMessages(mailboxMessages)
  const quota = useQuotaNote(useResources()?.maxMailboxes)
  const search = useSearch({ from: '/signed-in/mail/' })
  const { data: domains } = useQuery(mailDomainsQuery)
  const [isAdding, setAdding] = useState(false)
  const canAdd = domains !== undefined && domains.length > 0
  return (
    <>
      <section className={card.card} aria-label={t('tab.mailboxes')}>
        <MailToolbar to="/mail" search={search}>
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={!canAdd}
            onClick={(event) => quota.ask(event, () => setAdding(true))}
          >
            {t('add')}
          </Button>
        </MailToolbar>
        <Rows hasDomain={domains === undefined || domains.length > 0} />
      </section>
      {quota.note}
      {isAdding && canAdd && (
        <Suspense fallback={null}>
          <AddMailbox domains={domains} domainId={search.domain} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  )
}

function Rows({ hasDomain }: { hasDomain: boolean }) {
  const t = useMessages(mailboxMessages)
  const search = useSearch({ from: '/signed-in/mail/' })
  const domain = useDomainName(search.domain)
  const { data, error, refetch } = useQuery(mailboxesQuery(search))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={8} height={41} />
  const { mailboxes, pagination } = data
  const isFiltered = search.q !== undefined || search.domain !== undefined
  if (pagination.total === 0 && !isFiltered) return hasDomain ? <EmptyState title={t('first')} hint={t('first.hint')} /> : <DomainFirst /> // oxfmt-ignore
  if (mailboxes.length === 0) return <NothingMatches filters={[domain]} />
  return (
    <>
      <MailboxTable mailboxes={mailboxes} />
      <Pagination page={search.page ?? 1} limit={mailPerPage} total={pagination.total} />
    </>
  )
}

function DomainFirst() {
  const t = useMessages(mailboxMessages)
  return (
    <EmptyState
      title={t('domainFirst')}
      hint={t('domainFirst.hint')}
      action={
        <Button component={Link} to="/domains">
          {t('domainFirst.go')}
        </Button>
      }
    />
  )
}
