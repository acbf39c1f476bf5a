import { Button, Group } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { DangerSection } from '../../ui/danger-section.tsx'
import { Facts } from '../../ui/facts.tsx'
import { NoAccess } from '../../ui/no-access.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { meQuery } from '../auth/me.queries.ts'
import { DrainSection } from './drain-section.tsx'
import { EncryptionSection } from './encryption-section.tsx'
import { EdgeSection } from './edge-section.tsx'
import { LabelSection } from './label-section.tsx'
import { MachineStatus } from './machine-status.tsx'
import { machineMessages } from './machines.messages.ts'
import {
  checkMachine,
  type Machine,
  machineQuery,
  machinesKey,
  machinesQuery,
  removeMachine,
  targetsOf,
  updateMachine
} from './machines.queries.ts'
import { SiteSection } from './site-section.tsx'
import { UpgradeSection } from './upgrade-section.tsx'

export function MachinePage() {
  const t = useMessages(machineMessages)
  const { data: me } = useQuery(meQuery)
  if (me?.role !== 'ADMIN') return <NoAccess hint={t('noAccess')} />
  return <Details />
}

function Details() {
  const { machineId } = useParams({ from: '/signed-in/server/machines/$machineId' })
  const { page } = useSearch({ from: '/signed-in/server/machines/$machineId' })
  const { data: found, error, refetch } = useQuery(machineQuery(machineId, page))
  const { data: list } = useQuery(machinesQuery)
  if (error && !found) return <ErrorState isPage error={error} onRetry={() => void refetch()} />
  if (!found) return <RowsSkeleton rows={8} />
  const { machine, sites, drain, pagination } = found
  const machines = list?.machines ?? []
  return (
    <>
      <Header machine={machine} />
      {machine.problems.map(({ message, sentences }) => (
        <Notice key={message} tone="warn">
          <SentenceText by={{ machineProblem: machineMessages }} sentences={sentences}>
            {message}
          </SentenceText>
        </Notice>
      ))}
      <MachineFacts machine={machine} />
      <SiteSection sites={sites} pagination={pagination} targets={targetsOf(machine.id, machines)} />
      {machines.length > 1 && <DrainSection machine={machine} drain={drain} />}
      {!machine.isOwn && <UpgradeSection machine={machine} drain={drain} />}
      {!machine.isOwn && <EdgeSection key={`${machine.roles.join()} ${machine.publicIp}`} machine={machine} />}
      <LabelSection key={machine.labels.join()} machine={machine} />
      {!machine.isOwn && <EncryptionSection machine={machine} />}
      {!machine.isOwn && <RemoveSection machine={machine} />}
    </>
  )
}

function Header({ machine }: { machine: Machine }) {
  const t = useMessages(machineMessages)
  const { id, name, seenAt, status, isDraining } = machine
  const isPaused = status === 'PAUSED' || isDraining
  const check = useAction({ run: () => checkMachine(id), invalidates: [machinesKey], done: () => t('checked') })
  const pause = useAction({
    run: () => updateMachine(id, { isPaused: !isPaused }),
    invalidates: [machinesKey],
    done: () => t(isPaused ? 'resumed' : 'paused', { name })
  })
  return (
    <PageHeader
      title={name}
      crumbs={[{ label: t('title'), link: { to: '/server/machines' } }]}
      badge={<MachineStatus {...machine} />}
      facts={
        seenAt && (
          <span>
            {t('seen')} <Time at={seenAt} />
          </span>
        )
      }
      actions={
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={check.isPending}
            onClick={() => check.start()}
          >
            {t('check')}
          </Button>
          {(isPaused || status === 'ACTIVE') && (
            <Button
              variant="default"
              leftSection={
                isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
              }
              loading={pause.isPending}
              onClick={() => pause.start()}
            >
              {t(isPaused ? 'resume' : 'pause')}
            </Button>
          )}
        </Group>
      }
    />
  )
}

function MachineFacts({ machine }: { machine: Machine }) {
  const t = useMessages(machineMessages)
  const { bytes } = useI18n()
  const { memory, disk, promised, clockSkewMs, processors } = machine
  const usage = (used: number, total: number | undefined) =>
    total === undefined ? '–' : t('of', { used: bytes(used), total: bytes(total) })
  return (
    <Facts
      rows={[
        { name: t('roles'), value: machine.roles.map((role) => t(`role.${role}`)).join(', ') || t('roles.none') },
        { name: t('address'), value: machine.address ?? '–' },
        { name: t('system'), value: machine.system ?? '–' },
        { name: t('engine'), value: machine.engineVersion ?? '–' },
        { name: t('panel'), value: machine.panelVersion ?? '–' },
        { name: t('clock'), value: clockSkewMs === null ? '–' : t('clock.skew', { ms: String(clockSkewMs) }) },
        {
          name: t('processors'),
          value: t('processors.of', { promised: String(promised.cpus), total: String(processors ?? '–') })
        },
        { name: t('memory'), value: usage(memory?.usedBytes ?? 0, memory?.totalBytes) },
        { name: t('memory.promised'), value: usage(promised.memoryBytes, memory?.totalBytes) },
        { name: t('disk'), value: usage(disk?.usedBytes ?? 0, disk?.totalBytes) },
        { name: t('containers'), value: String(machine.instances) }
      ]}
    />
  )
}

function RemoveSection({ machine: { id, name, status } }: { machine: Machine }) {
  const t = useMessages(machineMessages)
  const isLost = status === 'AWAY'
  const navigate = useNavigate()
  return (
    <DangerSection
      title={t('remove.title', { name })}
      hint={t(isLost ? 'remove.lost.hint' : 'remove.hint')}
      action={t(isLost ? 'remove.lost' : 'remove')}
      name={name}
      run={() => removeMachine(id, isLost)}
      invalidates={[]}
      done={() => t('removed', { name })}
      onDone={() => void navigate({ to: '/server/machines' })}
    />
  )
}
