import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Meter } from '../../ui/meter.tsx'
import { NoAccess } from '../../ui/no-access.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { MachineStatus } from './machine-status.tsx'
import { machineMessages } from './machines.messages.ts'
import { type Machine, machinesQuery } from './machines.queries.ts'

const MachineForm = lazy(() => import('./machine-form.tsx').then((module) => ({ default: module.MachineForm })))

export function MachineListPage() {
  const t = useMessages(machineMessages)
  const { data: me } = useQuery(meQuery)
  if (me?.role !== 'ADMIN') return <NoAccess hint={t('noAccess')} />
  return <Machines />
}

function Machines() {
  const t = useMessages(machineMessages)
  const { data: list, error, refetch } = useQuery(machinesQuery)
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        }
      />
      {error && !list && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!list && !error && <RowsSkeleton rows={2} />}
      {list && <MachineTable machines={list.machines} />}
      <Suspense fallback={null}>{isAdding && <MachineForm onClose={() => setAdding(false)} />}</Suspense>
    </>
  )
}

function MachineTable({ machines }: { machines: readonly Machine[] }) {
  const t = useMessages(machineMessages)
  const { bytes } = useI18n()
  return (
    <div className={card.card}>
      <table className={`${card.table} ${card.cards}`}>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('status')}</th>
            <th scope="col">{t('memory.promised')}</th>
            <th scope="col">{t('disk')}</th>
            <th scope="col" className={card.end}>
              {t('projects')}
            </th>
          </tr>
        </thead>
        <tbody>
          {machines.map((machine) => {
            const { id, name, address, memory, disk, promised, projects } = machine
            return (
              <tr key={id}>
                <td>
                  <Link to="/server/machines/$machineId" params={{ machineId: id }} className={card.rowLink}>
                    <Foreign>{name}</Foreign>
                  </Link>
                  <span className={card.sub} dir="ltr">
                    {address}
                  </span>
                </td>
                <td data-label={t('status')}>
                  <MachineStatus {...machine} />
                </td>
                <td data-label={t('memory.promised')}>
                  {memory && (
                    <Meter label={t('memory.promised')} used={promised.memoryBytes} of={memory.totalBytes}>
                      {t('of', { used: bytes(promised.memoryBytes), total: bytes(memory.totalBytes) })}
                    </Meter>
                  )}
                </td>
                <td data-label={t('disk')}>
                  {disk && (
                    <Meter label={t('disk')} used={disk.usedBytes} of={disk.totalBytes}>
                      {t('of', { used: bytes(disk.usedBytes), total: bytes(disk.totalBytes) })}
                    </Meter>
                  )}
                </td>
                <td className={card.end}>{projects}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
