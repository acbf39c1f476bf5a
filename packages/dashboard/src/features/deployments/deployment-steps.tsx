import { IconCheck } from '@tabler/icons-react'
import { useMessages } from '../../i18n/i18n.tsx'
import { StatusShape } from '../../ui/status-badge.tsx'
import classes from './deployment-head.module.css'
import { deploymentMessages } from './deployments.messages.ts'
import { type Deployment, isOpen } from './deployments.queries.ts'

const steps = ['queued', 'build', 'start', 'live'] as const
const reached: Partial<Record<Deployment['status'], number>> = { QUEUED: 0, BUILDING: 1, DEPLOYING: 2 }

export function DeploymentSteps({ deployment }: { deployment: Deployment }) {
  const t = useMessages(deploymentMessages)
  if (!isOpen(deployment)) return null
  const now = reached[deployment.status]!
  return (
    <ol className={classes.steps} aria-label={t('progress')}>
      {steps.map((step, at) => (
        <li
          key={step}
          data-state={at < now ? 'done' : at === now ? 'now' : 'todo'}
          aria-current={at === now ? 'step' : undefined}
        >
          {at < now && <IconCheck size={14} aria-hidden />}
          {at === now && <StatusShape tone="info" isBusy />}
          {at > now && <span className={classes.todo} aria-hidden="true" />}
          {t(`step.${step}`)}
        </li>
      ))}
    </ol>
  )
}
