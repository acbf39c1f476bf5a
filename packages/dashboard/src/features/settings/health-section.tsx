import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { remedyMessages } from '../../ui/shared-texts/remedy.messages.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { healthQuery } from '../system/health.queries.ts'
import { usePartName } from './part-name.tsx'
import { settingsMessages } from './settings.messages.ts'
import classes from './settings.module.css'

type Part = Schema<'Health'>['parts'][string]

const againMs = 15_000
const againWhileStartingMs = 2_000
const tones: Record<Part['status'], Tone> = {
  ok: 'ok',
  starting: 'info',
  idle: 'idle',
  missing: 'idle',
  unreachable: 'bad'
}
const message = { remedy: remedyMessages }

interface HealthSectionProps {
  /** Components to show; default: all. */
  only?: readonly string[]
}

/** Shows components that are down or starting first, with their remedy, then the names of the others. */
export function HealthSection({ only }: HealthSectionProps) {
  const t = useMessages(settingsMessages)
  const nameOf = usePartName()
  const {
    data: health,
    error,
    refetch
  } = useQuery({
    ...healthQuery,
    refetchInterval: ({ state }) => (state.data?.status === 'starting' ? againWhileStartingMs : againMs)
  })
  const parts = Object.entries(health?.parts ?? {})
    .filter(([name]) => only?.includes(name) ?? true)
    .sort(([a], [b]) => a.localeCompare(b))
  const broken = parts.filter(([, { status }]) => status !== 'ok' && status !== 'idle')
  const well = parts.filter(([, { status }]) => status === 'ok')
  const idle = parts.filter(([, { status }]) => status === 'idle')
  return (
    <Section title={t('health')} hint={health ? t('health.version', { version: health.version }) : ''}>
      {error && !health && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !health && <RowsSkeleton rows={3} height={41} />}
      {health && parts.length === 0 && <p className={classes.well}>{t('health.none')}</p>}
      {parts.length > 0 && broken.length === 0 && <StatusBadge tone="ok">{t('health.well')}</StatusBadge>}
      {broken.length > 0 && <BrokenParts parts={broken} />}
      {well.length > 0 && (
        <p className={classes.well}>
          {t('health.answer', { count: well.length })} {well.map(([name]) => nameOf(name)).join(' · ')}
        </p>
      )}
      {idle.length > 0 && (
        <p className={classes.well}>
          {t('health.idle')} {idle.map(([name]) => nameOf(name)).join(' · ')}
        </p>
      )}
    </Section>
  )
}

function BrokenParts({ parts }: { parts: readonly [string, Part][] }) {
  const t = useMessages(settingsMessages)
  const nameOf = usePartName()
  return (
    <table className={`${card.table} ${card.cards} ${classes.parts}`}>
      <thead>
        <tr>
          <th scope="col">{t('part')}</th>
          <th scope="col">{t('part.state')}</th>
          <th scope="col">{t('part.remedy')}</th>
        </tr>
      </thead>
      <tbody>
        {parts.map(([name, { status, remedy, sentences = [] }]) => (
          <tr key={name}>
            <td>{nameOf(name)}</td>
            <td>
              <StatusBadge tone={tones[status]}>{t(`part.${status}`)}</StatusBadge>
            </td>
            <td className={card.sub}>
              {remedy !== undefined && (
                <SentenceText by={message} sentences={sentences}>
                  {remedy}
                </SentenceText>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
