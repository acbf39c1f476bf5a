import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { useSteps } from '../welcome/use-steps.ts'
import { welcomeMessages } from '../welcome/welcome.messages.ts'
import { saveWelcome, stepNames, welcomeQuery } from '../welcome/welcome.queries.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import classes from './overview.module.css'
import { overviewMessages } from './overview.messages.ts'

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
        <Checklist />
      </Notice>
    </div>
  )
}

function Checklist() {
  const t = useMessages(overviewMessages)
  const steps = useMessages(welcomeMessages)
  const { isDone } = useSteps()
  return (
    <>
      {t('welcome')}
      <ul className={classes.steps}>
        {stepNames.map((name) => (
          <li key={name}>
            <StatusBadge tone={isDone[name] ? 'ok' : 'idle'}>{steps(name)}</StatusBadge>
          </li>
        ))}
      </ul>
    </>
  )
}
