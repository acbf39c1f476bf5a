import { Button } from '@mantine/core'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useAction } from '../../ui/use-action.ts'
import { backupMessages } from './backups.messages.ts'
import type { Restore } from './backups.queries.ts'

const tones: Record<Restore['status'], Tone> = {
  QUEUED: 'idle',
  RUNNING: 'info',
  COMPLETED: 'ok',
  FAILED: 'bad',
  UNDONE: 'idle'
}

interface RestoreTableProps {
  hint: string
  undone: string
  restores: readonly Restore[]
  undo(id: string): Promise<unknown>
  invalidates: readonly string[]
}

const nameOf = ({ databaseName, volume, path }: Restore): string =>
  databaseName ?? [volume, path].filter((part) => part !== null && part !== '').join(': ')

/** Nothing without restores. */
export function RestoreTable({ hint, undone, restores, undo, invalidates }: RestoreTableProps) {
  const t = useMessages(backupMessages)
  const undoing = useAction({ run: undo, invalidates: [invalidates], done: () => undone })
  if (restores.length === 0) return null
  return (
    <Section title={t('restores')} hint={hint}>
      <table className={`${card.table} ${card.cards}`}>
        <thead>
          <tr>
            <th scope="col">{t('column.when')}</th>
            <th scope="col">{t('column.what')}</th>
            <th scope="col">{t('column.state')}</th>
            <th scope="col" className={card.end}>
              {t('column.action')}
            </th>
          </tr>
        </thead>
        <tbody>
          {restores.map((restore) => (
            <tr key={restore.id}>
              <td>
                <Time at={restore.createdAt} />
              </td>
              <td>
                {t(restore.kind === 'FILES' && restore.path ? 'what.path' : `what.${restore.kind}`)}{' '}
                <Foreign>{nameOf(restore)}</Foreign>
              </td>
              <td>
                <StatusBadge tone={tones[restore.status]} isBusy={restore.status === 'RUNNING'}>
                  {t(`restore.${restore.status}`)}
                </StatusBadge>
                {restore.problem !== null && (
                  <div className={card.sub}>
                    <Foreign>{restore.problem}</Foreign>
                  </div>
                )}
              </td>
              <td className={card.end}>
                {restore.undoUntil !== null && (
                  <Button
                    variant="default"
                    size="xs"
                    loading={undoing.isPending}
                    onClick={() => undoing.start(restore.id)}
                  >
                    {t('undo')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
