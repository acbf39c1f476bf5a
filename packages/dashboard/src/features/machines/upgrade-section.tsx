import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { usePlan } from './drain-section.tsx'
import { machineMessages } from './machines.messages.ts'
import { isUpgrading, type Machine, type MachineDrain, machinesKey, upgradeMachine } from './machines.queries.ts'

const ConfirmDialog = lazy(() =>
  import('../../ui/confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog }))
)

/** For an added machine. */
export function UpgradeSection({ machine, drain }: { machine: Machine; drain: MachineDrain }) {
  const t = useMessages(machineMessages)
  const [isAsking, setAsking] = useState(false)
  const plan = usePlan(drain)
  const { id, name, upgrade } = machine
  const start = useAction({
    run: () => upgradeMachine(id),
    invalidates: [machinesKey],
    done: () => t('upgrade.started', { name }),
    onDone: () => setAsking(false)
  })
  return (
    <Section
      title={t('upgrade')}
      hint={t('upgrade.hint')}
      actions={
        !isUpgrading(machine) && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t(upgrade?.failure ? 'upgrade.again' : 'upgrade.start')}
          </Button>
        )
      }
    >
      {upgrade?.failure && (
        <Notice tone="bad">
          <SentenceText by={{ machineUpgradeFailure: machineMessages }} sentences={upgrade.failure.sentences}>
            {upgrade.failure.message}
          </SentenceText>{' '}
          {t('upgrade.drained')}
        </Notice>
      )}
      <p role="status">
        {upgrade && !upgrade.failure && t(`upgrade.${upgrade.step}`)}{' '}
        {upgrade?.endedAt != null && <Time at={upgrade.endedAt} />}
      </p>
      <Suspense fallback={null}>
        {isAsking && (
          <ConfirmDialog
            title={t('upgrade.title', { name })}
            action={t('upgrade.start')}
            isPending={start.isPending}
            onConfirm={() => start.start()}
            onClose={() => setAsking(false)}
          >
            {plan} {drain.staying > 0 && t('upgrade.gap')}
          </ConfirmDialog>
        )}
      </Suspense>
    </Section>
  )
}
