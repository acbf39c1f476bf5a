import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { DomainTable } from './domain-table.tsx'
import { domainMessages } from './domains.messages.ts'
import { subdomainsQuery } from './domains.queries.ts'

const AddDomain = lazy(() => import('./add-domain.tsx').then((module) => ({ default: module.AddDomain })))

export function Subdomains({ domain }: { domain: Schema<'Domain'> }) {
  const t = useMessages(domainMessages)
  const { data, error, refetch } = useQuery(subdomainsQuery(domain.id))
  const [isAdding, setAdding] = useState(false)
  return (
    <Section
      title={t('subdomains')}
      hint={t(data?.total === 0 ? 'subdomains.none' : 'subdomains.hint')}
      actions={
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          {t('subdomains.add')}
        </Button>
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <RowsSkeleton rows={2} height={41} />}
      {data && data.items.length > 0 && <DomainTable domains={data.items} />}
      {data && data.total > data.items.length && (
        <Notice tone="info">{t('project.domains.more', { count: data.total })}</Notice>
      )}
      {isAdding && (
        <Suspense fallback={null}>
          <AddDomain parent={domain} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Section>
  )
}
