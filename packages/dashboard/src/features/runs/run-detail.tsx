import { Button } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { withoutEscapes } from '../../ui/log-viewer/ansi.ts'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { commandText } from './command-text.ts'
import { RunStatus, useRunReason } from './run-status.tsx'
import { runMessages } from './runs.messages.ts'
import { isOpen, outputQuery, runQuery, runsKey, stopRun } from './runs.queries.ts'
import classes from './runs.module.css'

export function RunDetail({ projectId, runId }: { projectId: string; runId: string }) {
  const t = useMessages(runMessages)
  const reasonOf = useRunReason()
  const { data: run, error, refetch } = useQuery(runQuery(projectId, runId))
  const { data: output } = useQuery(outputQuery(projectId, runId))
  const stop = useAction({ run: stopRun, invalidates: [runsKey(projectId)] })
  if (error && !run) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!run) return <RowsSkeleton />
  return (
    <Section
      title={t('output')}
      hint={commandText(run.command)}
      actions={
        isOpen(run) && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            loading={stop.isPending}
            onClick={() => stop.start(run)}
          >
            {t('stop')}
          </Button>
        )
      }
    >
      <p className={classes.quiet}>
        <RunStatus run={run} /> {reasonOf(run)} {output?.isTruncated && t('output.truncated')}
      </p>
      {output?.text ? (
        // Focusable, so that the keyboard can scroll it.
        <pre className={classes.output} dir="ltr" tabIndex={0} aria-label={t('output')}>
          {withoutEscapes(output.text)}
        </pre>
      ) : (
        <p className={classes.quiet}>{t('output.none')}</p>
      )}
    </Section>
  )
}
