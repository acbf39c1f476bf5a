import classes from './quota-bars.module.css'

interface QuotaBarProps {
  /** Null: there is none. */
  limit: number | null
  used: number
  /** What the limits of the accounts below add up to; null where one has none. */
  shared?: number | null | undefined
}

/** Used as a bar, shared out as a frame around it, and the limit as a line where more than it is shared out. The words stand beside it. */
export function QuotaBar({ limit, used, shared }: QuotaBarProps) {
  if (limit === null) return <span className={classes.bar} data-endless aria-hidden />
  const isEndless = shared === null
  const whole = Math.max(limit, used, isEndless ? limit * 1.25 : (shared ?? 0), 1)
  const share = (value: number) => `${(100 * value) / whole}%`
  const tone = used >= limit ? 'bad' : used >= 0.8 * limit ? 'warn' : undefined
  return (
    <span className={classes.bar} aria-hidden>
      {shared !== undefined && (
        <span className={classes.shared} style={{ inlineSize: isEndless ? '100%' : share(shared ?? 0) }} />
      )}
      <span className={classes.used} data-tone={tone} style={{ inlineSize: share(used) }} />
      {whole > limit && <span className={classes.limit} style={{ insetInlineStart: share(limit) }} />}
    </span>
  )
}
