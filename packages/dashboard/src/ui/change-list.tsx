import type { ReactNode } from 'react'
import classes from './change-list.module.css'
import { StatusBadge } from './status-badge.tsx'
import type { Tone } from './tone.ts'

export interface Changes {
  name: string
  tone: Tone
  /** Total count; `rows` may hold only the first ones. */
  count: number
  rows: readonly { where?: string; text: ReactNode }[]
}

export function ChangeList({ label, changes }: { label: string; changes: readonly Changes[] }) {
  return (
    <div className={classes.preview} role="region" aria-label={label} tabIndex={0}>
      {changes
        .filter(({ count }) => count > 0)
        .map(({ name, tone, count, rows }) => (
          <section key={name} aria-label={name}>
            <h3>
              <StatusBadge tone={tone}>{name}</StatusBadge> <span>{count}</span>
            </h3>
            <ul>
              {rows.map(({ where, text }, at) => (
                <li key={at}>
                  {where !== undefined && <span className={classes.line}>{where}</span>}
                  {text}
                </li>
              ))}
            </ul>
          </section>
        ))}
    </div>
  )
}
