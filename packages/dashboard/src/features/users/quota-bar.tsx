import classes from './quota-bars.module.css'

interface QuotaBarProps {
  /** Null: no limit. */
  limit: number | null
  used: number
  /** Sum of the sub-account limits; null if one of them has no limit. */
  shared?: number | null | undefined
}

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
