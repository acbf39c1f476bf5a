import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { backupMessages } from './backups.messages.ts'
import { removeTarget } from './backup-actions.ts'
import { type BackupTarget, targetsQuery } from './backups.queries.ts'
import { ConfirmKey } from './confirm-key.tsx'

const AddTarget = lazy(() => import('./add-target.tsx').then((module) => ({ default: module.AddTarget })))

export function TargetSection() {
  const t = useMessages(backupMessages)
  const { data, error, refetch } = useQuery(targetsQuery)
  const [isAdding, setAdding] = useState(false)
  const [confirming, setConfirming] = useState<BackupTarget>()
  const [removing, setRemoving] = useState<BackupTarget>()
  const remove = useAction({
    run: (id: string) => removeTarget(id),
    invalidates: [['backups']],
    onDone: () => setRemoving(undefined)
  })
  return (
    <Section
      title={t('targets')}
      hint={t('targets.hint')}
      actions={
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          {t('target.add')}
        </Button>
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsSkeleton rows={2} height={41} />}
      {data && data.targets.length > 0 && (
        <table className={`${card.table} ${card.cards}`}>
          <thead>
            <tr>
              <th scope="col">{t('column.target')}</th>
              <th scope="col">{t('column.location')}</th>
              <th scope="col">{t('column.state')}</th>
              <th scope="col">{t('column.lastGood')}</th>
              <th scope="col" className={card.end}>
                {t('column.action')}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.targets.map((target) => (
              <tr key={target.id}>
                <td>
                  <Foreign>{target.name}</Foreign>
                </td>
                <td className={card.sub} dir="ltr">
                  {target.location}
                </td>
                <td>
                  <TargetState target={target} />
                </td>
                <td className={card.sub}>{target.lastGoodAt === null ? '–' : <Time at={target.lastGoodAt} />}</td>
                <td className={card.end}>
                  {!target.isKeyConfirmed && (
                    <Button variant="default" size="xs" onClick={() => setConfirming(target)}>
                      {t('key.confirm')}
                    </Button>
                  )}
                  <IconButton label={t('target.remove', { name: target.name })} onClick={() => setRemoving(target)}>
                    <IconTrash size={16} aria-hidden />
                  </IconButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isAdding && (
        <Suspense fallback={null}>
          <AddTarget onClose={() => setAdding(false)} />
        </Suspense>
      )}
      {confirming && <ConfirmKey target={confirming} onClose={() => setConfirming(undefined)} />}
      {removing && (
        <ConfirmName
          title={t('target.remove', { name: removing.name })}
          name={removing.name}
          action={t('target.remove.action')}
          isPending={remove.isPending}
          onConfirm={() => remove.start(removing.id)}
          onClose={() => setRemoving(undefined)}
        >
          {t('target.remove.hint')}
        </ConfirmName>
      )}
    </Section>
  )
}

function TargetState({ target: { isKeyConfirmed, problem } }: { target: BackupTarget }) {
  const t = useMessages(backupMessages)
  if (!isKeyConfirmed) return <StatusBadge tone="warn">{t('target.unconfirmed')}</StatusBadge>
  if (problem === null) return <StatusBadge tone="ok">{t('target.ok')}</StatusBadge>
  return (
    <>
      <StatusBadge tone="bad">{t('target.failing')}</StatusBadge>
      <div className={card.sub}>
        <Foreign>{problem}</Foreign>
      </div>
    </>
  )
}
