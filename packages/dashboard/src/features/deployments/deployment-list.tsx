import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Time } from '../../ui/time.tsx'
import { DeploymentStatus } from '../../ui/deployment-status/deployment-status.tsx'
import classes from './deployments-tab.module.css'
import { deploymentMessages } from './deployments.messages.ts'
import type { Deployment } from './deployments.queries.ts'

interface DeploymentListProps {
  deployments: readonly Deployment[]
  shownId: string
}

export function DeploymentList({ deployments, shownId }: DeploymentListProps) {
  const t = useMessages(deploymentMessages)
  const format = useI18n()
  return (
    <nav aria-label={t('history')} className={classes.list}>
      <ul>
        {deployments.map(
          ({ id, commitMsg, commitHash, upload, snapshot, trigger, status, active, createdAt, duration }) => (
            <li key={id}>
              <Link
                to="."
                // Drops `L` and `find`, which belong to another log.
                search={({ page }: { page?: number }) => ({ page, d: id })}
                className={classes.item}
                aria-current={id === shownId ? 'true' : undefined}
              >
                <Foreign className={classes.msg}>
                  {upload !== null
                    ? t('uploaded', { by: upload.by, folder: upload.folder })
                    : (snapshot?.archive ?? commitMsg ?? t(`trigger.${trigger}`))}
                </Foreign>
                <DeploymentStatus status={status} isLive={active} />
                <span className={classes.meta}>
                  {commitHash !== null && <code>{commitHash.slice(0, 7)}</code>}
                  <span>{t(`trigger.${trigger}`)}</span>
                  <Time at={createdAt} />
                  {duration !== null && <span>{format.duration(duration)}</span>}
                </span>
              </Link>
            </li>
          )
        )}
      </ul>
    </nav>
  )
}
