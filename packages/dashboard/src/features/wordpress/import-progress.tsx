import { between } from '@panel/contract/sentences'
import { importSteps } from '@panel/contract/wordpress'
import { IconCheck, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { wordpressProblemMessages } from '../../ui/shared-texts/wordpress-problem.messages.ts'
import { StatusShape } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { wordpressMessages } from './wordpress.messages.ts'
import classes from './wordpress.module.css'

const message = { import: wordpressProblemMessages, note: wordpressMessages }

type StepState = 'done' | 'now' | 'failed' | 'todo'

export function ImportProgress({ latest }: { latest: Schema<'WordpressImport'> }) {
  const t = useMessages(wordpressMessages)
  const { status, step, files, tables, errorMessage, errorSentences, updatedAt, deploymentId, projectId } = latest
  const { notes, noteSentences } = latest
  const now = importSteps.indexOf(step)
  const stateOf = (at: number): StepState => {
    if (status === 'SUCCEEDED' || at < now) return 'done'
    if (at > now) return 'todo'
    return status === 'FAILED' ? 'failed' : 'now'
  }
  return (
    <div className={classes.progress}>
      <ol className={classes.steps} aria-label={t('progress')}>
        {importSteps.map((each, at) => (
          <li key={each} data-state={stateOf(at)} aria-current={stateOf(at) === 'now' ? 'step' : undefined}>
            <StepSign state={stateOf(at)} />
            {t(`step.${each}`)}
          </li>
        ))}
      </ol>
      {status === 'RUNNING' && (
        <p role="status" className={classes.word}>
          {t('running', { files, tables })}
        </p>
      )}
      {status === 'SUCCEEDED' && (
        <Notice tone="ok">
          {t('succeeded', { files, tables })} <Time at={updatedAt} />.{' '}
          {deploymentId !== null && (
            <Link to="/projects/$projectId/deployments" params={{ projectId }} search={{ d: deploymentId }}>
              {t('deployment')}
            </Link>
          )}
        </Notice>
      )}
      {status === 'FAILED' && (
        <Notice tone="bad">
          {t('failed', { step: t(`step.${step}`) })}{' '}
          {errorMessage !== null && (
            <>
              <SentenceText by={message} sentences={errorSentences}>
                {errorMessage}
              </SentenceText>
              {/* Separator depends on whether the English message ends with a full stop. */}
              {between(errorMessage)}
            </>
          )}
          {t('failed.hint')}
        </Notice>
      )}
      {notes.length > 0 && (
        <ul className={classes.notes} aria-label={t('notes')}>
          {notes.map((note, at) => (
            <li key={note}>
              <SentenceText by={message} sentences={noteSentences.slice(at, at + 1)}>
                {note}
              </SentenceText>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function StepSign({ state }: { state: StepState }) {
  if (state === 'done') return <IconCheck size={14} aria-hidden />
  if (state === 'failed') return <IconX size={14} aria-hidden />
  if (state === 'now') return <StatusShape tone="info" isBusy />
  return <span className={classes.todo} aria-hidden="true" />
}
