import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { meQuery } from '../features/auth/me.queries.ts'
import { useMessages } from '../i18n/i18n.tsx'
import { Foreign } from '../ui/foreign.tsx'
import { LazyMenu } from '../ui/lazy-menu.tsx'
import { plainText } from '../ui/plain-text.ts'
import classes from './nav.module.css'
import { shellMessages } from './shell.messages.ts'

const UserMenuBody = lazy(() => import('./user-menu-body.tsx').then((module) => ({ default: module.UserMenuBody })))

export function UserMenu() {
  const t = useMessages(shellMessages)
  const { data: me } = useQuery(meQuery)
  const target = (
    <UnstyledButton className={classes.user}>
      <VisuallyHidden>{t('menu')}</VisuallyHidden>
      <span className={classes.avatar} aria-hidden="true">
        {plainText(me?.name ?? '').slice(0, 1)}
      </span>
      <span className={classes.who}>
        <strong>
          <Foreign>{me?.name ?? ''}</Foreign>
        </strong>
        <span>{me?.email}</span>
      </span>
      <IconSelector size={16} aria-hidden />
    </UnstyledButton>
  )
  return <LazyMenu target={target} body={UserMenuBody} />
}
