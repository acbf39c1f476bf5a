import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { domainQuery } from '../domains/domains.queries.ts'
import { domainRuleMessages } from './domain-rules.messages.ts'
import { rulesQuery } from './domain-rules.queries.ts'
import { RulesEditor } from './rules-editor.tsx'

export function RulesTab() {
  const t = useMessages(domainRuleMessages)
  const { domainId } = useParams({ from: '/signed-in/domains/$domainId/rules' })
  const { data: domain } = useQuery(domainQuery(domainId))
  const { data: saved, error, refetch } = useQuery(rulesQuery(domainId))
  if (!domain) return <RowsSkeleton />
  if (domain.status !== 'ACTIVE')
    return (
      <EmptyState
        title={t('verifyFirst')}
        hint={t('verifyFirst.hint')}
        action={
          <Link to="/domains/$domainId" params={{ domainId }}>
            {t('verifyFirst.go')}
          </Link>
        }
      />
    )
  if (!saved) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <RowsSkeleton />
  return <RulesEditor key={domainId} domain={domain} saved={saved} />
}
