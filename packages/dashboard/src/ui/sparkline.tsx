import classes from './sparkline.module.css'

interface SparklineProps {
  /** In the order of time; null where nothing was measured. */
  values: readonly (number | null)[]
  /** The top of the drawing; default the highest value. */
  max?: number
}

const [width, height] = [120, 28]

/** A line without axes, beside the figure that it belongs to; the figure is what screen readers read. */
export function Sparkline({ values, max }: SparklineProps) {
  const top = Math.max(max ?? 0, ...values.map((value) => value ?? 0)) || 1
  const step = values.length > 1 ? width / (values.length - 1) : 0
  // A gap in the measurements is a gap in the line: the point after it moves without drawing.
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
