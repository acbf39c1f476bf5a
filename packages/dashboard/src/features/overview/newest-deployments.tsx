import { Link } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import classes from './overview.module.css'
import { overviewMessages } from './overview.messages.ts'
import type { OverviewDeployment } from './overview.queries.ts'

const tones: Record<OverviewDeployment['status'], { tone: Tone; isBusy?: true }> = {
  QUEUED: { tone: 'info', isBusy: true },
  BUILDING: { tone: 'info', isBusy: true },
  DEPLOYING: { tone: 'info', isBusy: true },
  RUNNING: { tone: 'idle' },
  FAILED: { tone: 'bad' },
  CANCELLED: { tone: 'idle' }
}

export function NewestDeployments({ deployments }: { deployments: readonly OverviewDeployment[] }) {
  const t = useMessages(overviewMessages)
  if (deployments.length === 0) return <EmptyState title={t('newest.none')} hint={t('newest.none.hint')} />
  return (
    <ul className={`${classes.rows} ${classes.newest}`}>
      {deployments.map((deployment) => (
        <DeploymentRow key={deployment.id} deployment={deployment} />
      ))}
    </ul>
  )
}

function DeploymentRow({ deployment }: { deployment: OverviewDeployment }) {
  const t = useMessages(overviewMessages)
  const { id, projectId, projectName, status, commitMsg, isLive, createdAt } = deployment
  const { tone, isBusy = false } = tones[status]
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
      {isLive ? (
        <StatusBadge tone="ok">{t('live')}</StatusBadge>
      ) : (
        <StatusBadge tone={tone} isBusy={isBusy}>
          {t(`status.${status}`)}
        </StatusBadge>
      )}
    </li>
  )
}
