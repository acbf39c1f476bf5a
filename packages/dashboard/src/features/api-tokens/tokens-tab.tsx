import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { apiTokenMessages } from './api-tokens.messages.ts'
import { tokensPerPage, tokensQuery } from './api-tokens.queries.ts'
import { TokenTable } from './token-table.tsx'

const AddToken = lazy(() => import('./add-token.tsx').then((module) => ({ default: module.AddToken })))
const NewToken = lazy(() => import('./new-token.tsx').then((module) => ({ default: module.NewToken })))

export function TokensTab() {
  const t = useMessages(apiTokenMessages)
  const { page = 1 } = useSearch({ from: '/signed-in/account/tokens' })
  const { data: list, error, refetch } = useQuery(tokensQuery(page))
  // The only copy of the token; cleared when the dialog closes.
  const [opened, setOpened] = useState<'add' | Schema<'CreatedApiToken'>>()
  return (
    <Section
      title={t('title')}
      hint={t('hint')}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpened('add')}>
          {t('add')}
        </Button>
      }
    >
      {error && !list && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!list && !error && <RowsSkeleton rows={4} />}
      {list?.tokens.length === 0 && <EmptyState title={t('none')} hint={t('none.hint')} />}
      {list && list.tokens.length > 0 && <TokenTable tokens={list.tokens} />}
      {list && <Pagination page={page} limit={tokensPerPage} total={list.pagination.total} />}
      <Suspense fallback={null}>
        {opened === 'add' && <AddToken onDone={setOpened} onClose={() => setOpened(undefined)} />}
        {typeof opened === 'object' && <NewToken token={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </Section>
  )
}
