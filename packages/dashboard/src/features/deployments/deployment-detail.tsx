import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { LogViewer } from '../../ui/log-viewer/log-viewer.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { DeploymentActs } from './deployment-acts.tsx'
import { DeploymentStatus } from './deployment-status.tsx'
import { DeploymentSteps } from './deployment-steps.tsx'
import classes from './deployments-tab.module.css'
import { deploymentMessages } from './deployments.messages.ts'
import { deploymentQuery, isOpen } from './deployments.queries.ts'
import { useDeploymentLog } from './use-deployment-log.ts'

interface DeploymentDetailProps {
  projectId: string
  deploymentId: string
  isLive: boolean
}

export function DeploymentDetail({ projectId, deploymentId, isLive }: DeploymentDetailProps) {
  const t = useMessages(deploymentMessages)
  const { find = '', L: line } = useSearch({ from: '/signed-in/projects/$projectId/deployments' })
  const navigate = useNavigate({ from: '/projects/$projectId/deployments' })
  const { data: deployment, error, refetch } = useQuery(deploymentQuery(projectId, deploymentId))
  const buffer = useDeploymentLog(projectId, deploymentId)
  const setFind = (text: string) =>
    void navigate({ search: (search) => ({ ...search, find: text === '' ? undefined : text }), replace: true })
  if (error && !deployment) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!deployment) return <RowsSkeleton />
  return (
    <section className={classes.detail} aria-label={t('one')}>
      <div className={classes.head}>
        <DeploymentStatus status={deployment.status} isLive={isLive} />
        <DeploymentSteps deployment={deployment} />
        <DeploymentActs projectId={projectId} deployment={deployment} isLive={isLive} onFind={setFind} />
      </div>
      <div className={classes.log}>
        <LogViewer
          buffer={buffer}
          label={t('log')}
          fileName={`deployment-${deploymentId}.log`}
          isLive={isOpen(deployment)}
          find={find}
          onFind={setFind}
          line={line}
          onLine={(L) => void navigate({ search: (search) => ({ ...search, L }), replace: true })}
        />
      </div>
    </section>
  )
}
