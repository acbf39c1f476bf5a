import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { portName, TcpPortTable } from './tcp-port-table.tsx'
import { tcpPortMessages } from './tcp-ports.messages.ts'
import { removeTcpPort, type TcpPort, tcpPortsKey, tcpPortsQuery } from './tcp-ports.queries.ts'

const TcpPortForm = lazy(() => import('./tcp-port-form.tsx').then((module) => ({ default: module.TcpPortForm })))
const ConfirmName = lazy(() => import('../../ui/confirm-name.tsx').then((module) => ({ default: module.ConfirmName })))

export function TcpPortsTab() {
  const t = useMessages(tcpPortMessages)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/tcp-ports' })
  const { data: list, error, refetch } = useQuery(tcpPortsQuery(projectId))
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<TcpPort>()
  const remove = useAction({
    run: (id: string) => removeTcpPort(projectId, id),
    invalidates: [tcpPortsKey(projectId)],
    done: () => t('removed', { port: removing ? portName(removing) : '' }),
    onDone: () => setRemoving(undefined)
  })
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton />
  const isOff = list.range === null && list.tlsPort === null
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  const isEmpty = list.ports.length === 0
  return (
    <Section title={t('title')} hint={t('hint')} actions={!isEmpty && !isOff && add}>
      {isEmpty ? (
        <EmptyState
          title={t(isOff ? 'off' : 'none')}
          hint={t(isOff ? 'off.hint' : 'none.hint')}
          action={!isOff && add}
        />
      ) : (
        <TcpPortTable ports={list.ports} onRemove={setRemoving} />
      )}
      <Suspense fallback={null}>
        {isAdding && <TcpPortForm projectId={projectId} list={list} onClose={() => setAdding(false)} />}
        {removing && (
          <ConfirmName
            title={t('remove.title', { port: portName(removing) })}
            name={portName(removing)}
            action={t('remove.action')}
            isPending={remove.isPending}
            onConfirm={() => remove.start(removing.id)}
            onClose={() => setRemoving(undefined)}
          >
            {t('remove.hint')}
          </ConfirmName>
        )}
      </Suspense>
    </Section>
  )
}
