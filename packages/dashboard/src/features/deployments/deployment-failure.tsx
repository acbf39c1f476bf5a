import { Button } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import classes from './deployment-head.module.css'
import { deploymentMessages } from './deployments.messages.ts'
import { failureMessages } from '../../ui/shared-texts/failure.messages.ts'
import type { Deployment } from './deployments.queries.ts'

interface DeploymentFailureProps {
  failure: NonNullable<Deployment['failure']>
  onLine(line: number): void
}

export function DeploymentFailure({
  failure: { phase, reason, sentences, exitCode, line },
  onLine
}: DeploymentFailureProps) {
  const t = useMessages(deploymentMessages)
  return (
    <div className={classes.failure}>
      <Notice
        tone="bad"
        action={
          line !== null && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconArrowDown size={14} aria-hidden />}
              onClick={() => onLine(line)}
            >
              {t('failure.line', { line })}
            </Button>
          )
        }
      >
        <strong>{t(`failure.${phase}`)}</strong>
        {exitCode !== null && ` ${t('failure.exit', { code: String(exitCode) })}`}
        <span className={classes.first}>
          <SentenceText by={{ reason: failureMessages }} sentences={sentences}>
            {reason}
          </SentenceText>
        </span>
      </Notice>
    </div>
  )
}
