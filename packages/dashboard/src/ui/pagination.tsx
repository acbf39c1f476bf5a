import { type Icon, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../i18n/i18n.tsx'
import classes from './pagination.module.css'
import { uiMessages } from './ui.messages.ts'

interface PaginationProps {
  page: number
  limit: number
  total: number
  /** Name of the URL parameter, if a page has several lists. */
  name?: string
}

export function Pagination({ page, limit, total, name = 'page' }: PaginationProps) {
  const t = useMessages(uiMessages)
  const last = Math.max(1, Math.ceil(total / limit))
  if (last === 1) return null
  return (
    <nav aria-label={t('pages')} className={classes.bar}>
      <span>{t('page.range', { from: (page - 1) * limit + 1, to: Math.min(page * limit, total), total })}</span>
      <Step to={page - 1} {...{ name, last }} label={t('page.previous')} icon={IconChevronLeft} />
      <Step to={page + 1} {...{ name, last }} label={t('page.next')} icon={IconChevronRight} />
    </nav>
  )
}

interface StepProps {
  to: number
  name: string
  last: number
  label: string
  icon: Icon
}

function Step({ to, name, last, label, icon: Glyph }: StepProps) {
  const glyph = <Glyph size={16} aria-hidden />
  if (to < 1 || to > last)
    return (
      <span className={classes.step} aria-disabled="true">
        {glyph}
        <span className="vh">{label}</span>
      </span>
    )
  return (
    <Link
      to="."
      search={(search: Record<string, unknown>) => ({ ...search, [name]: to === 1 ? undefined : to })}
      className={classes.step}
      aria-label={label}
    >
      {glyph}
    </Link>
  )
}
