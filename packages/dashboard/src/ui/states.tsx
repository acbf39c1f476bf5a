import { Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconLock, IconMoodEmpty, IconPlugConnectedX } from '@tabler/icons-react'
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError, hasStatus, isOutage } from '../api/client.ts'
import { useMessages } from '../i18n/i18n.tsx'
import { ErrorText } from './settings-link.tsx'
import classes from './states.module.css'
import { uiMessages } from './ui.messages.ts'
import { useTitle } from './use-title.ts'

interface EmptyStateProps {
  title: string
  hint?: ReactNode
  code?: string | undefined
  action?: ReactNode
  icon?: ReactNode
  /** The state fills the page, and its title is the h1. */
  isPage?: boolean
}

export function EmptyState({ title, hint, code, action, icon, isPage = false }: EmptyStateProps) {
  useTitle(isPage ? title : undefined)
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className={classes.state}>
      {icon ?? <IconMoodEmpty size={28} stroke={1.5} aria-hidden />}
      <Title className={classes.title}>{title}</Title>
      {hint !== undefined && <p>{hint}</p>}
      {action}
      {code !== undefined && <code className={classes.code}>{code}</code>}
    </div>
  )
}

const kinds = [
  { is: isOutage, title: 'outage', icon: IconPlugConnectedX, canRetry: true },
  { is: (error: unknown) => hasStatus(error, 403), title: 'forbidden', icon: IconLock, canRetry: false },
  { is: (error: unknown) => hasStatus(error, 404), title: 'notFound', icon: IconMoodEmpty, canRetry: false },
  { is: () => true, title: 'error', icon: IconAlertTriangle, canRetry: true }
] as const

interface ErrorStateProps {
  error: Error
  onRetry?: () => void
  isPage?: boolean
}

export function ErrorState({ error, onRetry, isPage = false }: ErrorStateProps) {
  const t = useMessages(uiMessages)
  const { title, icon: Icon, canRetry } = kinds.find(({ is }) => is(error))!
  const isGone = hasStatus(error, 404)
  const retry = canRetry && onRetry && (
    <Button variant="default" onClick={onRetry}>
      {t('retry')}
    </Button>
  )
  return (
    <div role="alert">
      <EmptyState
        isPage={isPage}
        title={t(title)}
        hint={isGone ? t('notFound.hint') : <ErrorText error={error} />}
        code={error instanceof ApiError ? error.code : undefined}
        icon={<Icon size={28} stroke={1.5} aria-hidden />}
        action={retry || (isPage ? <HomeLink /> : isGone && <WayBack />)}
      />
    </div>
  )
}

function WayBack() {
  const t = useMessages(uiMessages)
  const { history } = useRouter()
  if (!useCanGoBack()) return <HomeLink />
  return (
    <Button variant="default" onClick={() => history.back()}>
      {t('back.there')}
    </Button>
  )
}

function HomeLink() {
  const t = useMessages(uiMessages)
  return (
    <Button component={Link} to="/" variant="default">
      {t('back', { name: t('home') })}
    </Button>
  )
}

/** Placeholder that prevents layout shift. CSS delays it, and shows text if loading takes long. */
export function RowsSkeleton({ rows = 6, height = 52 }: { rows?: number; height?: number }) {
  const t = useMessages(uiMessages)
  return (
    <div role="status" aria-label={t('loading')} className={classes.rows}>
      <p className={classes.word}>{t('loading.long')}</p>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} style={{ height }}>
          <Skeleton height={12} width={`${22 + ((row * 7) % 15)}%`} />
          <Skeleton height={12} width="10%" />
          <Skeleton height={12} width={`${28 - ((row * 5) % 12)}%`} />
        </div>
      ))}
    </div>
  )
}

export function NotFoundPage() {
  const t = useMessages(uiMessages)
  return <EmptyState isPage title={t('notFound')} hint={t('notFound.hint')} action={<HomeLink />} />
}
