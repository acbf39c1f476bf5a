import {
  IconChartLine,
  IconFileText,
  IconMinus,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconTrash
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import cells from '../../ui/table-cells.module.css'
import type { Tone } from '../../ui/tone.ts'
import { useAction } from '../../ui/use-action.ts'
import { processMessages } from './processes.messages.ts'
import { changeProcess, processesKey, type ProjectProcess, restartProcess } from './processes.queries.ts'
import classes from './processes.module.css'

const tones: Record<NonNullable<ProjectProcess['state']>, Tone> = {
  RUNNING: 'ok',
  STARTING: 'info',
  CRASH_LOOPING: 'bad',
  STOPPED: 'idle',
  SLEEPING: 'idle',
  UNKNOWN: 'warn'
}

interface RowProps {
  projectId: string
  process: ProjectProcess
  onEdit(process: ProjectProcess): void
  onDelete(): void
}

export function ProcessRow({ projectId, process, onEdit, onDelete }: RowProps) {
  const t = useMessages(processMessages)
  const { name, type, state, command, source } = process
  return (
    <tr>
      <td>
        <strong dir="ltr">{name}</strong>
      </td>
      <td className={classes.command} data-label={t('command')}>
        {command === null ? <span className={card.sub}>{t('command.image')}</span> : <code dir="ltr">{command}</code>}
        <span className={card.sub}>{t(`source.${source}`)}</span>
      </td>
      <td data-label={t('state')}>
        {state === null ? (
          <span className={card.sub}>{t('perRelease')}</span>
        ) : (
          <StatusBadge tone={tones[state]} isBusy={state === 'STARTING'}>
            {t(`state.${state}`)}
          </StatusBadge>
        )}
      </td>
      <td data-label={t('instances')}>
        {type === 'WORKER' ? <Scale projectId={projectId} process={process} /> : (process.instances ?? '–')}
      </td>
      <Usage process={process} />
      <td className={cells.acts}>{type !== 'RELEASE' && <Actions {...{ projectId, process, onEdit, onDelete }} />}</td>
    </tr>
  )
}

function Scale({ projectId, process: { name, instances } }: Pick<RowProps, 'projectId' | 'process'>) {
  const t = useMessages(processMessages)
  const count = instances ?? 0
  const scale = useAction({
    run: (to: number) => changeProcess(projectId, name, { instances: to }),
    invalidates: [processesKey(projectId)]
  })
  return (
    <span className={classes.scale}>
      <IconButton
        label={t('fewer', { name })}
        disabled={scale.isPending || count === 0}
        onClick={() => scale.start(count - 1)}
      >
        <IconMinus size={16} aria-hidden />
      </IconButton>
      <span aria-live="polite">{count}</span>
      <IconButton label={t('more', { name })} disabled={scale.isPending} onClick={() => scale.start(count + 1)}>
        <IconPlus size={16} aria-hidden />
      </IconButton>
    </span>
  )
}

const sumOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** Of all instances together, and the limit of each. */
function Usage({ process: { running, memoryMb, cpus } }: Pick<RowProps, 'process'>) {
  const t = useMessages(processMessages)
  const { bytes, number, percent } = useI18n()
  const ram = sumOf(running.map(({ ramUsed }) => ramUsed))
  const cpu = sumOf(running.map(({ cpuPercent }) => cpuPercent))
  return (
    <>
      <td className={card.end} data-label={t('memory')}>
        {ram !== null && bytes(ram)}{' '}
        <span className={card.sub}>{t('limit', { limit: bytes(memoryMb * 2 ** 20) })}</span>
      </td>
      <td className={card.end} data-label={t('cpu')}>
        {cpu !== null && percent(cpu / 100)} <span className={card.sub}>{t('limit', { limit: number(cpus) })}</span>
      </td>
    </>
  )
}

function Actions({ projectId, process, onEdit, onDelete }: RowProps) {
  const t = useMessages(processMessages)
  const { name, type, procfileCommand } = process
  const restart = useAction({
    run: () => restartProcess(projectId, name),
    invalidates: [processesKey(projectId)],
    done: () => t('restarted', { name })
  })
  const search = type === 'WORKER' ? { process: name } : {}
  return (
    <>
      <Link
        to="/projects/$projectId/logs"
        params={{ projectId }}
        search={search}
        aria-label={t('log', { name })}
        title={t('log', { name })}
        className={cells.link}
      >
        <IconFileText size={16} aria-hidden />
      </Link>
      <Link
        to="/projects/$projectId/monitoring"
        params={{ projectId }}
        search={search}
        aria-label={t('metrics', { name })}
        title={t('metrics', { name })}
        className={cells.link}
      >
        <IconChartLine size={16} aria-hidden />
      </Link>
      <IconButton label={t('restart', { name })} disabled={restart.isPending} onClick={() => restart.start()}>
        <IconRefresh size={16} aria-hidden />
      </IconButton>
      {type === 'WORKER' && (
        <IconButton label={t('edit', { name })} onClick={() => onEdit(process)}>
          <IconPencil size={16} aria-hidden />
        </IconButton>
      )}
      {type === 'WORKER' && procfileCommand === null && (
        <IconButton label={t('delete', { name })} onClick={onDelete}>
          <IconTrash size={16} aria-hidden />
        </IconButton>
      )}
    </>
  )
}
