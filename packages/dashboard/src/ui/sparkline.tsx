import classes from './sparkline.module.css'

interface SparklineProps {
  /** In chronological order; null: not measured. */
  values: readonly (number | null)[]
  /** Upper end of the scale; default: the highest value. */
  max?: number
}

const [width, height] = [120, 28]

/** A line without axes beside a number. Hidden from screen readers, which read the number. */
export function Sparkline({ values, max }: SparklineProps) {
  const top = Math.max(max ?? 0, ...values.map((value) => value ?? 0)) || 1
  const step = values.length > 1 ? width / (values.length - 1) : 0
  // After a missing value, move without drawing.
  const path = values.flatMap((value, index) =>
    value === null
      ? []
      : `${(values[index - 1] ?? null) === null ? 'M' : 'L'}${round(index * step)} ${round(height - 1 - (value / top) * (height - 2))}`
  )
  return (
    <svg className={classes.line} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path.join('')} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

const round = (value: number) => Math.round(value * 10) / 10
