import { Link, useRouterState } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { useTitle } from '../../ui/use-title.ts'
import filter from '../../ui/filter.module.css'
import classes from './notifications.module.css'
import { notificationMessages } from './notifications.messages.ts'

const tabs = [
  { label: 'tab.list', to: '/account/notifications' },
  { label: 'tab.channels', to: '/account/notifications/channels' },
  { label: 'tab.sent', to: '/account/notifications/sent' }
] as const

export function NotificationTabs() {
  const t = useMessages(notificationMessages)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const open = tabs.find(({ to }) => to === path)
  useTitle(open && `${t(open.label)} · ${t('title')}`)
  return (
    <nav aria-label={t('title')} className={`${filter.filter} ${classes.tabs}`}>
      {tabs.map(({ label, to }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {t(label)}
        </Link>
      ))}
    </nav>
  )
}
