import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { machineMessages } from './machines.messages.ts'
import { drainMachine, isLeft, type Machine, type MachineDrain, machinesKey } from './machines.queries.ts'

const ConfirmDialog = lazy(() =>
  import('../../ui/confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog }))
)

/** For an installation with several machines. */
export function DrainSection({ machine, drain }: { machine: Machine; drain: MachineDrain }) {
  const t = useMessages(machineMessages)
  const [isAsking, setAsking] = useState(false)
  const plan = usePlan(drain)
  const { id, name } = machine
  const start = useAction({
    run: () => drainMachine(id),
    invalidates: [machinesKey],
    done: () => t('drain.started', { name }),
    onDone: () => setAsking(false)
  })
  const isUnderWay = isLeft(machine)
  return (
    <Section
      title={t('drain')}
      hint={t('drain.hint')}
      actions={
        !isUnderWay &&
        drain.moving > 0 && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('drain.start')}
          </Button>
        )
      }
    >
      <p role="status">{isUnderWay ? <Progress machine={machine} drain={drain} /> : plan}</p>
      <Suspense fallback={null}>
        {isAsking && (
          <ConfirmDialog
            title={t('drain.title', { name })}
            action={t('drain.start')}
            isPending={start.isPending}
            onConfirm={() => start.start()}
            onClose={() => setAsking(false)}
          >
            {plan} {t('drain.pauses')}
          </ConfirmDialog>
        )}
      </Suspense>
    </Section>
  )
}

/** What a drain would do. */
export function usePlan({ moving, staying, seconds }: MachineDrain): string {
  const t = useMessages(machineMessages)
  const { duration } = useI18n()
  const moves = moving === 0 ? t('drain.none') : t('drain.moves', { count: moving, duration: duration(seconds) })
  return staying === 0 ? moves : `${moves} ${t('drain.stays', { count: staying })}`
}

function Progress({ machine: { isDraining }, drain: { moving, staying } }: { machine: Machine; drain: MachineDrain }) {
  const t = useMessages(machineMessages)
  return [
    moving === 0 ? t('drain.done') : t('drain.left', { count: moving }),
    ...(staying === 0 ? [] : [t('drain.stays', { count: staying })]),
    ...(isDraining ? [t('drain.resume')] : [])
  ].join(' ')
}
