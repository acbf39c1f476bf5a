import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { DeploymentStatus } from '../../ui/deployment-status/deployment-status.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import classes from './overview.module.css'
import { overviewMessages } from './overview.messages.ts'
import type { OverviewDeployment } from './overview.queries.ts'

interface LatestDeploymentsProps {
  deployments: readonly OverviewDeployment[]
  /** Shown while there are none. */
  first: ReactNode
}

export function LatestDeployments({ deployments, first }: LatestDeploymentsProps) {
  const t = useMessages(overviewMessages)
  if (deployments.length === 0)
    return <EmptyState title={t('newest.none')} hint={t('newest.none.hint')} action={first} />
  return (
    <ul className={`${classes.rows} ${classes.newest}`}>
      {deployments.map((deployment) => (
        <DeploymentRow key={deployment.id} deployment={deployment} />
      ))}
    </ul>
  )
}

function DeploymentRow({ deployment }: { deployment: OverviewDeployment }) {
  const { id, projectId, projectName, status, commitMsg, isLive, createdAt } = deployment
  return (
    <li className={classes.deployment}>
      <div className={classes.what}>
        <Link to="/projects/$projectId/deployments" params={{ projectId }} search={{ d: id }} className={classes.name}>
          <CutName name={projectName} tail={12} />
        </Link>
        {commitMsg !== null && (
          <p className={classes.why}>
            <Foreign>{commitMsg}</Foreign>
          </p>
        )}
      </div>
      <span className={classes.when}>
        <Time at={createdAt} />
      </span>
      <DeploymentStatus status={status} isLive={isLive} />
    </li>
  )
}
