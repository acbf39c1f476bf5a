import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useDelayedAction } from '../../ui/use-delayed-action.ts'
import { MailToolbar } from './mail-toolbar.tsx'
import { aliasMessages } from './aliases.messages.ts'
import classes from './mailboxes.module.css'
import { mailDomainsQuery } from './mail-domains.queries.ts'
import { aliasesQuery, mailPerPage } from './mailboxes.queries.ts'
import { useDomainName } from './use-domain-name.ts'

const AliasForm = lazy(() => import('./alias-form.tsx').then((module) => ({ default: module.AliasForm })))

type Alias = Schema<'MailAlias'>

export function AliasList() {
  const t = useMessages(aliasMessages)
  const search = useSearch({ from: '/signed-in/mail/aliases' })
  const { data: domains } = useQuery(mailDomainsQuery)
  const [open, setOpen] = useState<Alias | 'new'>()
  const canAdd = domains !== undefined && domains.length > 0
  return (
    <>
      <section className={card.card} aria-label={t('title')}>
        <MailToolbar to="/mail/aliases" search={search}>
          <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={!canAdd} onClick={() => setOpen('new')}>
            {t('add')}
          </Button>
        </MailToolbar>
        <Rows onEdit={setOpen} />
      </section>
      {open !== undefined && (
        <Suspense fallback={null}>
          <AliasForm
            {...(open === 'new' ? { domains: domains ?? [], domainId: search.domain } : { alias: open })}
            onClose={() => setOpen(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

function Rows({ onEdit }: { onEdit(alias: Alias): void }) {
  const t = useMessages(aliasMessages)
  const search = useSearch({ from: '/signed-in/mail/aliases' })
  const domain = useDomainName(search.domain)
  const { data: list, error, refetch } = useQuery(aliasesQuery(search))
  const remove = useDelayedAction({
    run: ({ id }: Alias) => data(api.DELETE('/api/mail/aliases/{id}', { params: { path: { id } } })),
    invalidates: [['mailboxes', 'aliases']],
    doneMessage: ({ address }) => t('deleted', { address })
  })
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton rows={8} height={41} />
  const isFiltered = search.q !== undefined || search.domain !== undefined
  if (list.pagination.total === 0 && !isFiltered) return <EmptyState title={t('first')} hint={t('first.hint')} />
  if (list.aliases.length === 0) return <NothingMatches filters={[domain]} />
  return (
    <>
      <table className={`${card.table} ${card.cards} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">{t('address')}</th>
            <th scope="col">{t('targets')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {list.aliases
            .filter(({ id }) => !remove.pending.has(id))
            .map((alias) => (
              <tr key={alias.id}>
                <td className={classes.name}>
                  <strong className={classes.address}>
                    <CutName name={alias.address} tail={16} />
                  </strong>
                  {alias.localPart === '*' && <span className={card.sub}> {t('catchAll')}</span>}
                </td>
                <td className={classes.targets} dir="ltr">
                  {alias.targets.join(', ')}
                </td>
                <td className={`${card.end} ${classes.acts}`}>
                  <IconButton label={t('edit', { address: alias.address })} onClick={() => onEdit(alias)}>
                    <IconPencil size={16} aria-hidden />
                  </IconButton>
                  <IconButton label={t('delete', { address: alias.address })} onClick={() => remove.start(alias)}>
                    <IconTrash size={16} aria-hidden />
                  </IconButton>
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      <Pagination page={search.page ?? 1} limit={mailPerPage} total={list.pagination.total} />
    </>
  )
}
