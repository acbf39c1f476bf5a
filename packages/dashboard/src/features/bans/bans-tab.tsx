import { Button } from '@mantine/core'
import { banReasons } from '@panel/contract/bans'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, use, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Filter } from '../../ui/filter.tsx'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Section } from '../../ui/section.tsx'
import { SettingsAccess } from '../../ui/settings-link.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { AllowList } from './allow-list.tsx'
import { BanTable } from './ban-table.tsx'
import { banMessages } from './bans.messages.ts'
import { bansPerPage, bansQuery } from './bans.queries.ts'

const BanForm = lazy(() => import('./ban-form.tsx').then((module) => ({ default: module.BanForm })))

export function BansTab() {
  const t = useMessages(banMessages)
  const search = useSearch({ from: '/signed-in/server/firewall/bans' })
  const { data } = useQuery(bansQuery(search))
  const canOpenSettings = use(SettingsAccess)
  const [isAdding, setIsAdding] = useState(false)
  return (
    <>
      {data?.enabled === false && (
        <Notice tone="warn">
          {t('off')}{' '}
          {canOpenSettings && (
            <Link to="/server/settings/$group" params={{ group: 'accounts' }}>
              {t('off.settings')}
            </Link>
          )}
        </Notice>
      )}
      <Section
        title={t('bans')}
        hint={t('bans.hint')}
        actions={
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={data?.enabled !== true}
            onClick={() => setIsAdding(true)}
          >
            {t('add')}
          </Button>
        }
      >
        <div className={card.toolbar}>
          <SearchBox label={t('search')} />
          <Filter
            label={t('reason')}
            name="reason"
            selected={search.reason ?? 'ALL'}
            options={(['ALL', ...banReasons] as const).map((value) => ({ value, label: t(`reason.${value}`) }))}
          />
        </div>
        <Rows />
      </Section>
      <AllowList />
      {isAdding && (
        <Suspense fallback={null}>
          <BanForm onClose={() => setIsAdding(false)} />
        </Suspense>
      )}
    </>
  )
}

function Rows() {
  const t = useMessages(banMessages)
  const search = useSearch({ from: '/signed-in/server/firewall/bans' })
  const { data, error, refetch, isPlaceholderData } = useQuery(bansQuery(search))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={6} />
  if (data.bans.length === 0)
    return search.q === undefined && search.reason === undefined ? (
      <EmptyState title={t('none')} hint={t('none.hint')} />
    ) : (
      <NothingMatches />
    )
  return (
    <div aria-busy={isPlaceholderData}>
      <BanTable bans={data.bans} />
      <Pagination page={search.page ?? 1} limit={bansPerPage} total={data.pagination.total} />
    </div>
  )
}
