import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { saveWelcome, welcomeQuery } from '../welcome/welcome.queries.ts'
import classes from './overview.module.css'
import { overviewMessages } from './overview.messages.ts'

// Only a new installation has steps left.
const Checklist = lazy(() => import('./checklist.tsx').then((module) => ({ default: module.Checklist })))

/** Remaining steps of the setup, with a link to it. */
export function WelcomeNotice() {
  const t = useMessages(overviewMessages)
  const client = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const { data: welcome } = useQuery(welcomeQuery)
  if (me?.role !== 'ADMIN' || !welcome?.isOpen) return null
  return (
    <div className={classes.welcome}>
      <Notice
        tone="info"
        action={
          <span className={classes.acts}>
            <Button component={Link} to="/welcome" size="xs">
              {t('welcome.go')}
            </Button>
            <Button variant="default" size="xs" onClick={() => saveWelcome(client, { ...welcome, isOpen: false })}>
              {t('welcome.leave')}
            </Button>
          </span>
        }
      >
        <Suspense>
          <Checklist />
        </Suspense>
      </Notice>
    </div>
  )
}
