import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { welcomeMessages } from './welcome.messages.ts'
import type { StepName } from './welcome.queries.ts'
import classes from './welcome.module.css'

export type StepState = 'done' | 'skipped' | 'todo'

const tones: Record<StepState, Tone> = { done: 'ok', skipped: 'idle', todo: 'idle' }

interface StepProps {
  number: number
  name: StepName
  state: StepState
  isOpen: boolean
  onSkip(): void
  onTake(): void
  children: ReactNode
}

export function Step({ number, name, state, isOpen, onSkip, onTake, children }: StepProps) {
  const t = useMessages(welcomeMessages)
  const title = t(name)
  const action = isOpen
    ? { label: t('skip'), run: onSkip }
    : { label: t(state === 'done' ? 'look' : 'take'), run: onTake }
  return (
    <Section
      title={`${number}. ${title}`}
      hint={t(`${name}.hint`)}
      actions={
        <span className={classes.head}>
          <StatusBadge tone={tones[state]}>{t(`state.${state}`)}</StatusBadge>
          {!(isOpen && state === 'done') && (
            <Button variant="default" size="xs" aria-label={`${action.label}: ${title}`} onClick={action.run}>
              {action.label}
            </Button>
          )}
        </span>
      }
    >
      {isOpen && children}
    </Section>
  )
}
