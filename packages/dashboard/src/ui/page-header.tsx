import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/i18n.tsx'
import { Foreign } from './foreign.tsx'
import classes from './page-header.module.css'
import { uiMessages } from './ui.messages.ts'
import { useTitle } from './use-title.ts'

interface PageHeaderProps {
  title: string
  crumbs?: readonly { label: string; link: LinkProps }[]
  badge?: ReactNode
  facts?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, crumbs = [], badge, facts, actions }: PageHeaderProps) {
  const t = useMessages(uiMessages)
  const above = crumbs.at(-1)
  useTitle(above ? `${title} · ${above.label}` : title)
  return (
    <header className={classes.header}>
      {crumbs.length > 0 && (
        <nav aria-label={t('breadcrumb')} className={classes.crumbs}>
          <ol>
            {crumbs.map(({ label, link }) => (
              <li key={label}>
                <Link {...link}>{label}</Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className={classes.row}>
        <div className={classes.heading}>
          <div className={classes.title}>
            <h1>
              <Foreign>{title}</Foreign>
            </h1>
            {badge}
          </div>
          {facts && <div className={classes.facts}>{facts}</div>}
        </div>
        {actions && (
          <div className={classes.actions} data-acts>
            {actions}
          </div>
        )}
      </div>
    </header>
  )
}
