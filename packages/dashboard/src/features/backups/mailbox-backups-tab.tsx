import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { backupMessages } from './backups.messages.ts'
import { startMailboxRestore, undoMailboxRestore } from './backup-actions.ts'
import { mailboxBackupsQuery, mailboxRestoresQuery } from './backups.queries.ts'
import { RestoreTable } from './restore-table.tsx'

export function MailboxBackupsTab() {
  const t = useMessages(backupMessages)
  const { mailboxId } = useParams({ from: '/signed-in/mail/$mailboxId/backups' })
  const { data, error, refetch } = useQuery(mailboxBackupsQuery(mailboxId))
  const { data: known } = useQuery(mailboxRestoresQuery(mailboxId))
  const restore = useAction({
    run: (backupId: string) => startMailboxRestore(mailboxId, backupId),
    invalidates: [['mailboxes', mailboxId, 'restores']],
    done: () => t('restore.started')
  })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={4} height={41} />
  return (
    <>
      <Section title={t('title')} hint={t('mailbox.hint')}>
        {data.backups.length === 0 ? (
          <EmptyState title={t('none')} hint={t('mailbox.none.hint')} />
        ) : (
          <table className={`${card.table} ${card.cards}`}>
            <thead>
              <tr>
                <th scope="col">{t('column.when')}</th>
                <th scope="col">{t('column.target')}</th>
                <th scope="col" className={card.end}>
                  {t('column.action')}
                </th>
              </tr>
            </thead>
            <tbody>
              {data.backups.map(({ id, startedAt, targetName }) => (
                <tr key={id}>
                  <td>
                    <Time at={startedAt} />
                  </td>
                  <td className={card.sub}>
                    <Foreign>{targetName}</Foreign>
                  </td>
                  <td className={card.end}>
                    <Button variant="default" size="xs" loading={restore.isPending} onClick={() => restore.start(id)}>
                      {t('restore')}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <RestoreTable
        hint={t('mailbox.restores.hint')}
        undone={t('mailbox.undone')}
        restores={known?.restores ?? []}
        undo={(id) => undoMailboxRestore(mailboxId, id)}
        invalidates={['mailboxes', mailboxId]}
      />
    </>
  )
}
