import type { ReactNode } from 'react'
import { Logo } from '../../ui/logo.tsx'
import { useTitle } from '../../ui/use-title.ts'
import classes from './auth-card.module.css'

export function AuthCard({ title, hint, links, children }: AuthCardProps) {
  useTitle(title)
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo size={36} />
        <h1>{title}</h1>
        <p className={classes.sub}>{hint}</p>
        {children}
        {links && <div className={classes.links}>{links}</div>}
      </div>
    </main>
  )
}

interface AuthCardProps {
  title: string
  hint: string
  links?: ReactNode
  children: ReactNode
}
