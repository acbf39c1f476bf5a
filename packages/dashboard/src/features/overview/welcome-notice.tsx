import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { saveWelcome, welcomeQuery } from '../welcome/welcome.queries.ts'
import classes from './overview.module.css'
import { overviewMessages } from './overview.messages.ts'

/** The way back to a set-up that was left. */
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
        {t('welcome')}
      </Notice>
    </div>
  )
}
