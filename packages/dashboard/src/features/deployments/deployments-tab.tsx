import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { DeploymentDetail } from './deployment-detail.tsx'
import { DeploymentList } from './deployment-list.tsx'
import classes from './deployments-tab.module.css'
import { deploymentMessages } from './deployments.messages.ts'
import { historyQuery } from './deployments.queries.ts'

export function DeploymentsTab() {
  const t = useMessages(deploymentMessages)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/deployments' })
  const { d } = useSearch({ from: '/signed-in/projects/$projectId/deployments' })
  const { data, error, refetch } = useQuery(historyQuery(projectId))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton />
  const { deployments } = data
  const shownId = d ?? deployments[0]?.id
  if (shownId === undefined) return <EmptyState title={t('none')} hint={t('none.hint')} />
  const liveId = deployments.find(({ active }) => active)?.id
  return (
    <div className={classes.grid}>
      <DeploymentList deployments={deployments} shownId={shownId} liveId={liveId} />
      <DeploymentDetail key={shownId} projectId={projectId} deploymentId={shownId} isLive={shownId === liveId} />
    </div>
  )
}
