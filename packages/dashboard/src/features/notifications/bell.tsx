import { UnstyledButton } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import { useAfterFirstPicture } from '../../ui/use-after-first-picture.ts'
import classes from './bell.module.css'
import { bellMessages } from './bell.messages.ts'
import { latestQuery } from './notifications.queries.ts'

const BellBody = lazy(() => import('./bell-body.tsx').then((module) => ({ default: module.BellBody })))
const most = 99

export function Bell() {
  const t = useMessages(bellMessages)
  const { data: latest } = useQuery({ ...latestQuery, enabled: useAfterFirstPicture() })
  const unread = latest?.unread ?? 0
  const target = (
    <UnstyledButton
      className={classes.bell}
      aria-label={unread > 0 ? t('unread', { count: unread }) : t('title')}
      title={t('title')}
    >
      <IconBell size={18} stroke={1.6} aria-hidden />
      {unread > 0 && (
        <span className={classes.count} aria-hidden="true">
          {unread > most ? `${most}+` : unread}
        </span>
      )}
    </UnstyledButton>
  )
  return <LazyMenu target={target} body={BellBody} />
}
