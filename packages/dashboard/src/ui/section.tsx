import type { ReactNode } from 'react'
import { useId } from 'react'
import classes from './section.module.css'

interface SectionProps {
  title: string
  hint?: string
  children: ReactNode
  actions?: ReactNode
  isDanger?: boolean
}

export function Section({ title, hint, children, actions, isDanger = false }: SectionProps) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id} data-danger={isDanger || undefined}>
      <header className={classes.head} data-acts>
        <div>
          <h2 id={id}>{title}</h2>
          {hint !== undefined && <p>{hint}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  )
}
