import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../card.module.css'
import { uiMessages } from '../ui.messages.ts'
import type { ChartProps } from './chart.tsx'
import classes from './chart.module.css'
import { meansOf } from './series.ts'

export function ChartTable({ title, times, lines, format }: Pick<ChartProps, 'title' | 'times' | 'lines' | 'format'>) {
  const t = useMessages(uiMessages)
  const { dateTime } = useI18n()
  return (
    <div className={classes.table} tabIndex={0} role="region" aria-label={t('chart.means', { name: title })}>
      <table className={card.table}>
        <thead>
          <tr>
            <th scope="col">{t('chart.time')}</th>
            {lines.map(({ label }) => (
              <th key={label} scope="col" className={card.end}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {meansOf(times, lines).map(({ at, means }) => (
            <tr key={at}>
              <th scope="row">{dateTime(at)}</th>
              {means.map((mean, line) => (
                <td key={lines[line]!.label} className={card.end}>
                  {mean === null ? '–' : format(mean)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
