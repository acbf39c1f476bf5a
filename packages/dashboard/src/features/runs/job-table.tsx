import { IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import cells from '../../ui/table-cells.module.css'
import { useAction } from '../../ui/use-action.ts'
import { useDelayedAction } from '../../ui/use-delayed-action.ts'
import { RunStatus, useRunReason } from './run-status.tsx'
import { runMessages } from './runs.messages.ts'
import { changeJob, deleteJob, runJob, runsKey, type ScheduledJob, scheduledJobsKey } from './runs.queries.ts'

interface JobTableProps {
  projectId: string
  jobs: readonly ScheduledJob[]
  onEdit(job: ScheduledJob): void
}

export function JobTable({ projectId, jobs, onEdit }: JobTableProps) {
  const t = useMessages(runMessages)
  const remove = useDelayedAction({
    run: deleteJob,
    invalidates: [scheduledJobsKey(projectId), runsKey(projectId)],
    doneMessage: ({ name }: ScheduledJob) => t('deleted', { name })
  })
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('job')}</th>
          <th scope="col">{t('schedule')}</th>
          <th scope="col">{t('next')}</th>
          <th scope="col">{t('last')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {jobs
          .filter(({ id }) => !remove.pending.has(id))
          .map((job) => (
            <Row key={job.id} job={job} onEdit={onEdit} onDelete={remove.start} />
          ))}
      </tbody>
    </table>
  )
}

type RowProps = { job: ScheduledJob; onDelete(job: ScheduledJob): void } & Pick<JobTableProps, 'onEdit'>

function Row({ job, onEdit, onDelete }: RowProps) {
  const t = useMessages(runMessages)
  const { dateTime } = useI18n()
  const reasonOf = useRunReason()
  const { name, projectId, lastRun } = job
  const invalidates = [scheduledJobsKey(projectId), runsKey(projectId)]
  const toggle = useAction({ run: () => changeJob(job, { isEnabled: !job.isEnabled }), invalidates })
  const run = useAction({ run: () => runJob(job), invalidates, done: () => t('run.done', { name }) })
  return (
    <tr>
      <td className={cells.name}>
        <Foreign>{name}</Foreign>
      </td>
      <td data-label={t('schedule')}>
        <code dir="ltr">{job.schedule}</code> <span className={card.sub}>{job.timezone}</span>
      </td>
      <td className={card.sub} data-label={t('next')}>
        {job.nextRunAt === null ? t('disabled') : <time dateTime={job.nextRunAt}>{dateTime(job.nextRunAt)}</time>}
      </td>
      <td data-label={t('last')}>
        {lastRun && (
          <>
            <Link to="/projects/$projectId/jobs" params={{ projectId }} search={(was) => ({ ...was, d: lastRun.id })}>
              <RunStatus run={lastRun} />
            </Link>{' '}
            <span className={card.sub}>{reasonOf(lastRun)}</span>
          </>
        )}
      </td>
      <td className={cells.acts}>
        <IconButton label={t('run', { name })} disabled={run.isPending} onClick={() => run.start()}>
          <IconRefresh size={16} aria-hidden />
        </IconButton>
        <IconButton
          label={t(job.isEnabled ? 'disable' : 'enable', { name })}
          disabled={toggle.isPending}
          onClick={() => toggle.start()}
        >
          {job.isEnabled ? <IconPlayerPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
        </IconButton>
        <IconButton label={t('edit', { name })} onClick={() => onEdit(job)}>
          <IconPencil size={16} aria-hidden />
        </IconButton>
        <IconButton label={t('delete', { name })} onClick={() => onDelete(job)}>
          <IconTrash size={16} aria-hidden />
        </IconButton>
      </td>
    </tr>
  )
}
