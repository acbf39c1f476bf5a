import { Button } from '@mantine/core'
import type { TerminalEnded } from '@panel/client'
import { IconTerminal2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { projectQuery } from '../projects/project.queries.ts'
import { TerminalScreen } from './terminal-screen.tsx'
import { terminalMessages } from './terminals.messages.ts'

type State = 'connecting' | 'open' | TerminalEnded

export function TerminalTab() {
  const t = useMessages(terminalMessages)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/terminal' })
  const { data: project, error, refetch } = useQuery(projectQuery(projectId))
  const [session, setSession] = useState<{ number: number; state: State }>()
  if (error && !project) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!project) return <RowsSkeleton />
  const start = () => setSession({ number: (session?.number ?? 0) + 1, state: 'connecting' })
  const set = (state: State) => setSession((current) => current && { ...current, state })
  const isEnded = typeof session?.state === 'object'
  const open = (
    <Button leftSection={<IconTerminal2 size={16} aria-hidden />} onClick={start}>
      {t(session ? 'reconnect' : 'open')}
    </Button>
  )
  if (project.containerId === null)
    return (
      <Section title={t('title')} hint={t('hint')}>
        <EmptyState title={t('none')} hint={t('none.hint')} />
      </Section>
    )
  return (
    <Section title={t('title')} hint={`${t('hint')} ${t('keys')}`} actions={(!session || isEnded) && open}>
      {session?.state === 'connecting' && <Notice tone="info">{t('connecting')}</Notice>}
      {session && typeof session.state === 'object' && <Ended ended={session.state} />}
      {session && (
        <TerminalScreen
          key={session.number}
          projectId={projectId}
          label={t('label', { name: project.name })}
          onReady={() => set('open')}
          onEnd={set}
        />
      )}
    </Section>
  )
}

function Ended({ ended: { reason, exitCode, message = '' } }: { ended: TerminalEnded }) {
  const t = useMessages(terminalMessages)
  const isCommon = reason === 'EXITED' || reason === 'CLOSED'
  return (
    <Notice tone={isCommon ? 'idle' : reason === 'FAILED' ? 'bad' : 'warn'}>
      {exitCode !== undefined && exitCode !== 0
        ? t('end.EXITED.code', { code: String(exitCode) })
        : t(`end.${reason}`, { message })}
    </Notice>
  )
}
