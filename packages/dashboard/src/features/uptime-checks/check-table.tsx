import { IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import cells from '../../ui/table-cells.module.css'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useDelayedAction } from '../../ui/use-delayed-action.ts'
import { CheckState } from './check-state.tsx'
import { uptimeMessages } from './uptime-checks.messages.ts'
import { useUptimePercent } from './use-uptime-percent.ts'
import { deleteCheck, pauseCheck, runCheck } from './check-actions.ts'
import { type UptimeCheck, uptimeChecksKey } from './uptime-checks.queries.ts'
import classes from './uptime-checks.module.css'

interface CheckTableProps {
  projectId: string
  checks: readonly UptimeCheck[]
  onEdit(check: UptimeCheck): void
}

const figures = ['24h', '30d', '90d'] as const

export function CheckTable({ projectId, checks, onEdit }: CheckTableProps) {
  const t = useMessages(uptimeMessages)
  const invalidates = [uptimeChecksKey(projectId)]
  const remove = useDelayedAction({
    run: deleteCheck,
    invalidates,
    doneMessage: ({ name }: UptimeCheck) => t('deleted', { name })
  })
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('check')}</th>
          <th scope="col">{t('state')}</th>
          {figures.map((range) => (
            <th key={range} scope="col" className={`${card.end} ${spareClass(range)}`}>
              {t(`range.${range}`)}
            </th>
          ))}
          <th scope="col" className={card.end}>
            {t('answer')}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {checks
          .filter(({ id }) => !remove.pending.has(id))
          .map((check) => (
            <Row key={check.id} check={check} onEdit={onEdit} onDelete={remove.start} />
          ))}
      </tbody>
    </table>
  )
}

const spareClass = (range: (typeof figures)[number]) => (range === '90d' ? card.spare : '')

type RowProps = { check: UptimeCheck; onDelete(check: UptimeCheck): void } & Pick<CheckTableProps, 'onEdit'>

function Row({ check, onEdit, onDelete }: RowProps) {
  const t = useMessages(uptimeMessages)
  const { number } = useI18n()
  const percent = useUptimePercent()
  const invalidates = [uptimeChecksKey(check.projectId)]
  const { name } = check
  const pause = useAction({ run: () => pauseCheck(check, !check.paused), invalidates })
  const run = useAction({ run: () => runCheck(check), invalidates, done: () => t('run.done', { name }) })
  const why =
    check.state === 'PAUSED' && check.pausedBecause
      ? t(`pause.${check.pausedBecause}`)
      : check.lastReason && t(`reason.${check.lastReason}`, { status: String(check.lastStatus ?? '') })
  return (
    <tr>
      <td className={`${cells.name} ${classes.wide}`}>
        <Link
          to="/projects/$projectId/uptime"
          params={{ projectId: check.projectId }}
          search={({ checks }) => ({ checks, d: check.id })}
          className={card.rowLink!}
        >
          <Foreign>{name}</Foreign>
        </Link>
        <span className={`${card.sub} ${cells.cut}`} dir="ltr">
          {check.protocol}://{check.hostname}
          {check.path}
        </span>
      </td>
      <td className={classes.state}>
        <CheckState state={check.state} />{' '}
        <span className={card.sub}>
          <Time at={check.stateSince} />
        </span>
        {why && <div className={card.sub}>{why}</div>}
      </td>
      {figures.map((range) => (
        <td
          key={range}
          className={`${card.end} ${classes.figure} ${spareClass(range)}`}
          data-label={t(`range.${range}`)}
        >
          {check.uptime[range] === null ? '–' : percent(check.uptime[range])}
        </td>
      ))}
      <td className={`${card.end} ${card.sub} ${classes.figure}`} data-label={t('answer')}>
        {check.lastMs === null ? '–' : t('ms', { amount: number(check.lastMs) })}
      </td>
      <td className={`${cells.acts} ${classes.wide}`}>
        <IconButton label={t('run', { name })} disabled={run.isPending || check.paused} onClick={() => run.start()}>
          <IconRefresh size={16} aria-hidden />
        </IconButton>
        <IconButton
          label={t(check.paused ? 'resume' : 'pause', { name })}
          disabled={pause.isPending}
          onClick={() => pause.start()}
        >
          {check.paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
        </IconButton>
        <IconButton label={t('edit', { name })} onClick={() => onEdit(check)}>
          <IconPencil size={16} aria-hidden />
        </IconButton>
        <IconButton label={t('delete', { name })} onClick={() => onDelete(check)}>
          <IconTrash size={16} aria-hidden />
        </IconButton>
      </td>
    </tr>
  )
}
