import { Button } from '@mantine/core'
import { IconUserUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { AccountRestoreDialog } from './account-restore-dialog.tsx'
import { accountRestoreTones } from './account-restore-tones.ts'
import { type AccountRestore, accountRestoresQuery } from './account-restores.queries.ts'
import { backupMessages } from './backups.messages.ts'
import { PlanAccountDialog } from './plan-account-dialog.tsx'

/** Restores of accounts and their previews. */
export function AccountRestoreSection({ isReady }: { isReady: boolean }) {
  const t = useMessages(backupMessages)
  const [isAdding, setAdding] = useState(false)
  const [shownId, setShownId] = useState<string>()
  const { data, error, refetch } = useQuery(accountRestoresQuery)
  const shown = data?.restores.find(({ id }) => id === shownId)
  return (
    <Section
      title={t('accounts')}
      hint={t('accounts.hint')}
      actions={
        <Button
          variant="default"
          leftSection={<IconUserUp size={16} aria-hidden />}
          disabled={!isReady}
          onClick={() => setAdding(true)}
        >
          {t('account.restore')}
        </Button>
      }
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <RowsSkeleton rows={2} height={41} />
      ) : data.restores.length === 0 ? (
        <EmptyState title={t('accounts.none')} hint={t('accounts.none.hint')} />
      ) : (
        <Rows restores={data.restores} onShow={setShownId} />
      )}
      {isAdding && <PlanAccountDialog onClose={() => setAdding(false)} onPlanned={setShownId} />}
      {shown && <AccountRestoreDialog restore={shown} onClose={() => setShownId(undefined)} />}
    </Section>
  )
}

function Rows({ restores, onShow }: { restores: readonly AccountRestore[]; onShow(id: string): void }) {
  const t = useMessages(backupMessages)
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('column.when')}</th>
          <th scope="col">{t('column.account')}</th>
          <th scope="col">{t('column.backup')}</th>
          <th scope="col">{t('column.state')}</th>
          <th scope="col" className={card.end}>
            {t('column.action')}
          </th>
        </tr>
      </thead>
      <tbody>
        {restores.map(({ id, email, status, problem, createdAt, backupTakenAt, targetName }) => (
          <tr key={id}>
            <td>
              <Time at={createdAt} />
            </td>
            <td>
              <Foreign>{email}</Foreign>
            </td>
            <td className={card.sub}>
              <Time at={backupTakenAt} /> <Foreign>{targetName}</Foreign>
            </td>
            <td>
              <StatusBadge
                tone={accountRestoreTones[status]}
                isBusy={status === 'PLANNING' || status === 'STARTING' || status === 'RUNNING'}
              >
                {t(`account.status.${status}`)}
              </StatusBadge>
              {problem !== null && (
                <div className={card.sub}>
                  <Foreign>{problem}</Foreign>
                </div>
              )}
            </td>
            <td className={card.end}>
              <Button variant="default" size="xs" onClick={() => onShow(id)}>
                {t(status === 'PLANNED' ? 'account.preview' : 'account.details')}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
