import type { ReactNode } from 'react'
import classes from './status-badge.module.css'
import type { Tone } from './tone.ts'

/** Shapes: disc ok, ring idle, triangle warning, cross bad, spinning arc busy. */
export function StatusShape({ tone, isBusy = false }: { tone: Tone; isBusy?: boolean }) {
  return <span className={classes.shape} data-shape={isBusy ? 'busy' : tone} aria-hidden="true" />
}

export function StatusBadge({ tone, isBusy = false, children }: { tone: Tone; isBusy?: boolean; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      <StatusShape tone={tone} isBusy={isBusy} />
      {children}
    </span>
  )
}
