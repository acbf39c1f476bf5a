import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useSteps } from '../welcome/use-steps.ts'
import { welcomeMessages } from '../welcome/welcome.messages.ts'
import { stepNames } from '../welcome/welcome.queries.ts'
import classes from './overview.module.css'
import { overviewMessages } from './overview.messages.ts'

/** The steps of the setup, and which are done. */
export function Checklist() {
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
