import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import classes from './deployment-changes.module.css'
import { deploymentMessages } from './deployments.messages.ts'
import { changesQuery } from './deployment-changes.queries.ts'

/** Queries the Git server, so it loads only on request. */
export function DeploymentChanges({
  id,
  projectId,
  deploymentId
}: {
  id: string
  projectId: string
  deploymentId: string
}) {
  const t = useMessages(deploymentMessages)
  const { data, error, isFetching, refetch } = useQuery(changesQuery(projectId, deploymentId))
  return (
    <section id={id} className={classes.changes} aria-label={t('changes')}>
      {error && !isFetching ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Commits changes={data} />
      ) : (
        <RowsSkeleton rows={2} height={32} />
      )}
    </section>
  )
}

function Commits({ changes: { base, commits, complete } }: { changes: Schema<'DeploymentChanges'> }) {
  const t = useMessages(deploymentMessages)
  if (base === null) return <p>{t('changes.first')}</p>
  const since = base.commitHash.slice(0, 7)
  if (commits.length === 0) return <p>{t(complete ? 'changes.same' : 'changes.unknown', { since })}</p>
  return (
    <>
      <p>{t(complete ? 'changes.since' : 'changes.some', { since, count: commits.length })}</p>
      <ol className={classes.commits} tabIndex={0} aria-label={t('changes')}>
        {commits.map(({ hash, subject, author, at }) => (
          <li key={hash}>
            <code>{hash.slice(0, 7)}</code>
            <Foreign className={classes.subject}>{subject}</Foreign>
            <span className={classes.meta}>
              <Foreign>{author}</Foreign> <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}
