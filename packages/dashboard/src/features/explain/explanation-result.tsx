import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import classes from './explain.module.css'
import { explainMessages } from './explain.messages.ts'

type Step = Schema<'ExplainStep'>

const tones: Record<Step['status'], Tone> = { OK: 'ok', FAILED: 'bad', SKIPPED: 'idle' }

interface ExplanationResultProps {
  explanation: Schema<'Explanation'>
  isFetching: boolean
  onAgain(): void
}

export function ExplanationResult({ explanation, isFetching, onAgain }: ExplanationResultProps) {
  const t = useMessages(explainMessages)
  const { hostname: host, cause, steps, log, domainId, projectId } = explanation
  return (
    <>
      <Notice tone={cause === null ? 'ok' : 'bad'}>
        {cause === null ? t('well', { host }) : t('cause', { host, step: t(`step.${cause}`) })}
      </Notice>
      <Section
        title={t('steps')}
        actions={
          <>
            {domainId !== null && (
              <Link to="/domains/$domainId" params={{ domainId }}>
                {t('domain')}
              </Link>
            )}
            {projectId !== null && (
              <Link to="/projects/$projectId" params={{ projectId }}>
                {t('project')}
              </Link>
            )}
            <Button variant="default" loading={isFetching} onClick={onAgain}>
              {t('again')}
            </Button>
          </>
        }
      >
        <ol className={classes.steps}>
          {steps.map((step) => (
            <StepRow key={step.step} step={step} />
          ))}
        </ol>
      </Section>
      {log.length > 0 && (
        <Section title={t('log')}>
          <pre className={classes.log} dir="ltr" tabIndex={0} aria-label={t('log')}>
            <Foreign>{log.join('\n')}</Foreign>
          </pre>
        </Section>
      )}
    </>
  )
}

function StepRow({ step: { step, status, message, sentences } }: { step: Step }) {
  const t = useMessages(explainMessages)
  return (
    <li className={classes.step} data-step={step}>
      <h3>{t(`step.${step}`)}</h3>
      <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>
      <p>
        <SentenceText by={{ explain: explainMessages }} sentences={sentences}>
          {message}
        </SentenceText>
      </p>
    </li>
  )
}
