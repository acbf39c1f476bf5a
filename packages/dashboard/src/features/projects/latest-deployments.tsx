import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { DeploymentStatus } from '../../ui/deployment-status/deployment-status.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Time } from '../../ui/time.tsx'
import { latestDeploymentsQuery } from '../deployments/deployments.queries.ts'
import { OverviewBlock } from './overview-block.tsx'
import classes from './project-overview.module.css'
import { projectMessages } from './projects.messages.ts'

export function LatestDeployments({ projectId }: { projectId: string }) {
  const t = useMessages(projectMessages)
  const format = useI18n()
  const query = useQuery(latestDeploymentsQuery(projectId))
  const to = { to: '/projects/$projectId/deployments', params: { projectId } } as const
  return (
    <OverviewBlock title={t('latest')} more={<Link {...to}>{t('latest.all')}</Link>} query={query}>
      {({ deployments }) =>
        deployments.length === 0 ? (
          <p>{t('latest.none')}</p>
        ) : (
          <ul className={classes.rows}>
            {deployments.map(({ id, status, active, commitMsg, commitHash, upload, createdAt, duration }) => (
              <li key={id}>
                <Link {...to} search={{ d: id }} className={classes.name}>
                  <Foreign>{commitMsg ?? commitHash?.slice(0, 7) ?? upload?.folder ?? t('latest.one')}</Foreign>
                </Link>
                <DeploymentStatus status={status} isLive={active} />
                <span className={classes.sub}>
                  <Time at={createdAt} />
                  {duration !== null && ` · ${t('latest.took', { time: format.duration(duration) })}`}
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </OverviewBlock>
  )
}
