import { Button, Checkbox, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useAction } from '../../ui/use-action.ts'
import { keepAccountRestore, startAccountRestore, undoAccountRestore } from './account-restore-actions.ts'
import { accountItemTones } from './account-restore-tones.ts'
import type { AccountRestore, AccountRestoreItem } from './account-restores.queries.ts'
import { backupMessages } from './backups.messages.ts'

const invalidates = [['backups']]

/** What the restore does with each thing of the account, and what can be done about it. */
export function AccountRestoreDialog({ restore, onClose }: { restore: AccountRestore; onClose(): void }) {
  const t = useMessages(backupMessages)
  const ui = useMessages(uiMessages)
  const { dateTime } = useI18n()
  const [skipped, setSkipped] = useState<readonly string[]>([])
  const { id, email, status, items, undoUntil, problem } = restore
  const start = useAction({
    run: () => startAccountRestore(id, [...skipped]),
    invalidates,
    done: () => t('restore.started')
  })
  const undo = useAction({ run: () => undoAccountRestore(id), invalidates, done: () => t('account.undone') })
  const keep = useAction({ run: () => keepAccountRestore(id), invalidates, done: () => t('account.kept') })
  const refused = items.filter(({ key, change }) => change === 'REFUSED' && !skipped.includes(key))
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('account.title', { email, time: dateTime(restore.backupTakenAt) })}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <Stack gap="md">
        {problem !== null && (
          <Notice tone="bad">
            <Foreign>{problem}</Foreign>
          </Notice>
        )}
        {status === 'PLANNING' && <p>{t('account.planning')}</p>}
        {status === 'PLANNED' && <p>{t('account.planned')}</p>}
        {items.length > 0 && (
          <Items items={items} skipped={skipped} onSkip={status === 'PLANNED' ? setSkipped : undefined} />
        )}
        {status === 'PLANNED' && refused.length > 0 && <Notice tone="bad">{t('account.refused')}</Notice>}
        {status === 'PLANNED' && (
          <Button loading={start.isPending} disabled={refused.length > 0} onClick={() => start.start()}>
            {t('account.start')}
          </Button>
        )}
        {undoUntil !== null && (
          <>
            <p>{t('account.undo.hint', { time: dateTime(undoUntil) })}</p>
            <Group>
              <Button variant="default" loading={undo.isPending} onClick={() => undo.start()}>
                {t('undo')}
              </Button>
              <Button variant="default" loading={keep.isPending} onClick={() => keep.start()}>
                {t('account.keep')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  )
}

interface ItemsProps {
  items: readonly AccountRestoreItem[]
  skipped: readonly string[]
  onSkip: ((keys: readonly string[]) => void) | undefined
}

function Items({ items, skipped, onSkip }: ItemsProps) {
  const t = useMessages(backupMessages)
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('column.what')}</th>
          <th scope="col">{t('column.result')}</th>
          {onSkip && <th scope="col">{t('column.skip')}</th>}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.key}>
            <td>
              {t(`account.kind.${item.kind}`)} <Foreign>{item.name}</Foreign>
            </td>
            <td>
              <Change item={item} />
            </td>
            {onSkip && (
              <td>
                {item.change !== 'STAYS' && (
                  <Checkbox
                    aria-label={t('account.skip', { name: item.name })}
                    checked={skipped.includes(item.key)}
                    onChange={({ currentTarget: { checked } }) =>
                      onSkip(checked ? [...skipped, item.key] : skipped.filter((key) => key !== item.key))
                    }
                  />
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Change({ item: { change, reason, takenAt, status, problem } }: { item: AccountRestoreItem }) {
  const t = useMessages(backupMessages)
  const { dateTime } = useI18n()
  return (
    <>
      <StatusBadge tone={accountItemTones[change]}>{t(`account.change.${change}`)}</StatusBadge>
      {reason !== null && <div className={card.sub}>{t(`account.reason.${reason}`)}</div>}
      {takenAt !== null && <div className={card.sub}>{t('account.takenAt', { time: dateTime(takenAt) })}</div>}
      {status !== null && <div className={card.sub}>{t(`restore.${status}`)}</div>}
      {problem !== null && (
        <div className={card.sub}>
          <Foreign>{problem}</Foreign>
        </div>
      )}
    </>
  )
}
