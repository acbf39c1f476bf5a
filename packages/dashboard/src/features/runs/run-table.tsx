import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import cells from '../../ui/table-cells.module.css'
import { commandText } from './command-text.ts'
import { RunStatus, useRunReason } from './run-status.tsx'
import { runMessages } from './runs.messages.ts'
import type { Run } from './runs.queries.ts'

export function RunTable({ projectId, runs }: { projectId: string; runs: readonly Run[] }) {
  const t = useMessages(runMessages)
  const { dateTime } = useI18n()
  const reasonOf = useRunReason()
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('command')}</th>
          <th scope="col">{t('status')}</th>
          <th scope="col">{t('started')}</th>
          <th scope="col" className={card.end}>
            {t('duration')}
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td className={cells.name}>
              <Link
                to="/projects/$projectId/jobs"
                params={{ projectId }}
                search={(was) => ({ ...was, d: run.id })}
                className={`${card.rowLink!} ${cells.cut}`}
              >
                <code dir="ltr">{commandText(run.command)}</code>
              </Link>
              <span className={card.sub}>{t(`trigger.${run.trigger}`)}</span>
            </td>
            <td>
              <RunStatus run={run} /> <span className={card.sub}>{reasonOf(run)}</span>
            </td>
            <td className={card.sub} data-label={t('started')}>
              <time dateTime={run.startedAt ?? run.createdAt}>{dateTime(run.startedAt ?? run.createdAt)}</time>
            </td>
            <td className={`${card.end} ${card.sub}`} data-label={t('duration')}>
              {lengthOf(run, t)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Translate = (key: 'minutes' | 'seconds', values: { count: number }) => string

function lengthOf({ startedAt, endedAt }: Run, t: Translate): string {
  if (startedAt === null || endedAt === null) return '–'
  const seconds = Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000)
  return seconds < 120 ? t('seconds', { count: seconds }) : t('minutes', { count: Math.round(seconds / 60) })
}
