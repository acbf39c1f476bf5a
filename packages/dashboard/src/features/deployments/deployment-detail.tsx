import { Button } from '@mantine/core'
import { IconGitCommit } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { LogViewer } from '../../ui/log-viewer/log-viewer.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { DeploymentActions } from './deployment-actions.tsx'
import { DeploymentChanges } from './deployment-changes.tsx'
import { DeploymentFailure } from './deployment-failure.tsx'
import { DeploymentStatus } from '../../ui/deployment-status/deployment-status.tsx'
import { DeploymentSteps } from './deployment-steps.tsx'
import classes from './deployments-tab.module.css'
import { deploymentMessages } from './deployments.messages.ts'
import { deploymentQuery, isOpen } from './deployments.queries.ts'
import { useDeploymentLog } from './use-deployment-log.ts'
import { useLogPhases } from './use-log-phases.ts'

interface DeploymentDetailProps {
  projectId: string
  deploymentId: string
}

export function DeploymentDetail({ projectId, deploymentId }: DeploymentDetailProps) {
  const t = useMessages(deploymentMessages)
  const { find = '', L: line } = useSearch({ from: '/signed-in/projects/$projectId/deployments' })
  const navigate = useNavigate({ from: '/projects/$projectId/deployments' })
  const { data: deployment, error, refetch } = useQuery(deploymentQuery(projectId, deploymentId))
  const buffer = useDeploymentLog(projectId, deploymentId)
  const sections = useLogPhases(buffer, deployment)
  const [hasChanges, setChanges] = useState(false)
  const changesId = useId()
  const [lineRequests, setLineRequests] = useState(0)
  const setLine = (L: number) => void navigate({ search: (search) => ({ ...search, L }), replace: true })
  const setFind = (text: string) =>
    void navigate({ search: (search) => ({ ...search, find: text === '' ? undefined : text }), replace: true })
  if (error && !deployment) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!deployment) return <RowsSkeleton />
  return (
    <section className={classes.detail} aria-label={t('one')}>
      <div className={classes.head}>
        <DeploymentStatus status={deployment.status} isLive={deployment.active} />
        <DeploymentSteps deployment={deployment} />
        {deployment.sourceImage !== null && (
          <Foreign dir="ltr" title={deployment.sourceImage.digest}>
            {`${deployment.sourceImage.reference} ${deployment.sourceImage.digest.slice(0, 19)}`}
          </Foreign>
        )}
        <span className={classes.acts}>
          {deployment.commitHash !== null && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconGitCommit size={14} aria-hidden />}
              aria-expanded={hasChanges}
              aria-controls={hasChanges ? changesId : undefined}
              onClick={() => setChanges(!hasChanges)}
            >
              {t('changes')}
            </Button>
          )}
          <DeploymentActions projectId={projectId} deployment={deployment} onFind={setFind} />
        </span>
      </div>
      {deployment.failure !== null && (
        <DeploymentFailure
          failure={deployment.failure}
          onLine={(at) => {
            setLineRequests(lineRequests + 1)
            setLine(at)
          }}
        />
      )}
      {hasChanges && <DeploymentChanges id={changesId} projectId={projectId} deploymentId={deploymentId} />}
      <div className={classes.log}>
        <LogViewer
          buffer={buffer}
          label={t('log')}
          fileName={`deployment-${deploymentId}.log`}
          isLive={isOpen(deployment)}
          find={find}
          onFind={setFind}
          line={line ?? (find === '' ? (deployment.failure?.line ?? undefined) : undefined)}
          lineRequests={lineRequests}
          onLine={setLine}
          sections={sections}
        />
      </div>
    </section>
  )
}
