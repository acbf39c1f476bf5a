import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { projectQuery } from '../projects/project.queries.ts'
import { FilesSource } from './files-source.tsx'
import { DeploymentDetail } from './deployment-detail.tsx'
import { DeploymentList } from './deployment-list.tsx'
import classes from './deployments-tab.module.css'
import { deploymentMessages } from './deployments.messages.ts'
import { deploymentsPerPage, historyQuery } from './deployments.queries.ts'

export function DeploymentsTab() {
  const t = useMessages(deploymentMessages)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/deployments' })
  const { d, page = 1 } = useSearch({ from: '/signed-in/projects/$projectId/deployments' })
  const { data, error, refetch } = useQuery(historyQuery(projectId, page))
  const { data: project } = useQuery(projectQuery(projectId))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton />
  const { deployments, pagination } = data
  const shownId = d ?? deployments[0]?.id
  const filesSource = project?.source === 'FILES' && <FilesSource projectId={projectId} />
  if (shownId === undefined) return filesSource || <EmptyState title={t('none')} hint={t('none.hint')} />
  return (
    <>
      {filesSource}
      <div className={classes.grid}>
        <div className={classes.history}>
          <DeploymentList deployments={deployments} shownId={shownId} />
          <Pagination page={page} limit={deploymentsPerPage} total={pagination.total} />
        </div>
        <DeploymentDetail key={shownId} projectId={projectId} deploymentId={shownId} />
      </div>
    </>
  )
}
