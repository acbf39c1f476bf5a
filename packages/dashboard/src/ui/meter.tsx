import type { ReactNode } from 'react'
import classes from './meter.module.css'

interface MeterProps {
  label: string
  used: number
  of: number
  children: ReactNode
  isProgress?: boolean
}

export function Meter({ label, used, of, children, isProgress = false }: MeterProps) {
  const share = of === 0 ? 1 : used / of
  const tone = isProgress ? 'ok' : share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'ok'
  return (
    <div className={classes.meter}>
      <meter className={classes.bar} data-tone={tone} aria-label={label} min={0} max={1} value={Math.min(share, 1)} />
      <span className={classes.figures}>{children}</span>
    </div>
  )
}
