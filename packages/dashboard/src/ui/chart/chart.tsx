import { lazy, Suspense, useId, useState } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { uiMessages } from '../ui.messages.ts'
import { ChartTable } from './chart-table.tsx'
import classes from './chart.module.css'
import { lastOf, type Line, type Span } from './series.ts'

const Plot = lazy(() => import('./plot.tsx').then((module) => ({ default: module.Plot })))

export interface ChartProps {
  title: string
  span: Span
  /** In seconds. */
  times: readonly number[]
  lines: readonly Line[]
  /** Must keep its identity between renders. */
  format(value: number): string
  max?: number
  /** Scale in powers of 1024. */
  isBytes?: boolean
  threshold?: { value: number; label: string } | undefined
}

export function Chart(props: ChartProps) {
  const t = useMessages(uiMessages)
  const { dateTime } = useI18n()
  const id = useId()
  const [isTable, setTable] = useState(false)
  const [pointed, setPointed] = useState<number | null>(null)
  const { title, times, lines, format, threshold } = props
  const textOf = (value: number | null | undefined) => (value === null || value === undefined ? '–' : format(value))
  const shown = lines.map((line) => textOf(pointed === null ? lastOf(line) : line.values[pointed]))
  const last = lines.map((line) => `${line.label} ${textOf(lastOf(line))}`).join(', ')
  const time = pointed === null ? undefined : times[pointed]
  return (
    <figure className={classes.chart} aria-labelledby={id}>
      <figcaption className={classes.head}>
        <h2 id={id}>{title}</h2>
        <button type="button" className={classes.toggle} aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {t(isTable ? 'chart.hide' : 'chart.table')}
          <span className="vh"> {title}</span>
        </button>
      </figcaption>
      <div className={classes.legend} aria-hidden="true">
        {lines.map(({ label, token }, at) => (
          <span key={label} className={classes.entry} data-series={token.slice(-1)}>
            {label} <b>{shown[at]}</b>
          </span>
        ))}
        {threshold && <span className={classes.threshold}>{threshold.label}</span>}
        {time !== undefined && <span className={classes.time}>{dateTime(new Date(time * 1_000).toISOString())}</span>}
      </div>
      <div
        role="img"
        aria-label={[`${title}: ${last}`, threshold?.label].filter(Boolean).join('. ')}
        className={classes.plot}
        dir="ltr"
      >
        {' '}
        {/* oxfmt-ignore */}
        <Suspense fallback={<span aria-busy />}>
          <Plot {...props} onPoint={setPointed} />
        </Suspense>
      </div>
      {isTable && <ChartTable title={title} times={times} lines={lines} format={format} />}
    </figure>
  )
}
