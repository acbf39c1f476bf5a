import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Progress } from '../../ui/progress.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { backupTones } from './backup-tones.ts'
import { backupMessages } from './backups.messages.ts'
import type { Backup } from './backups.queries.ts'

interface BackupTableProps {
  backups: readonly Backup[]
  withProject?: boolean
  onRestore?(backup: Backup): void
}

export function BackupTable({ backups, withProject = false, onRestore }: BackupTableProps) {
  const t = useMessages(backupMessages)
  const { bytes } = useI18n()
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('column.when')}</th>
          {withProject && <th scope="col">{t('column.content')}</th>}
          <th scope="col">{t('column.target')}</th>
          <th scope="col">{t('column.state')}</th>
          <th scope="col" className={card.end}>
            {t('column.size')}
          </th>
          {onRestore && (
            <th scope="col" className={card.end}>
              {t('column.action')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {backups.map((backup) => (
          <tr key={backup.id}>
            <td>
              <Time at={backup.createdAt} />
            </td>
            {withProject && (
              <td>
                {backup.projectId === null ? (
                  t('panel')
                ) : (
                  <Link to="/projects/$projectId/backups" params={{ projectId: backup.projectId }}>
                    <CutName name={backup.projectName ?? backup.projectId} tail={6} />
                  </Link>
                )}
              </td>
            )}
            <td className={card.sub}>
              <Foreign>{backup.targetName}</Foreign>
            </td>
            <td>
              <State backup={backup} />
            </td>
            <td className={`${card.end} ${card.sub}`}>{backup.bytes === null ? '–' : bytes(backup.bytes)}</td>
            {onRestore && (
              <td className={card.end}>
                {backup.status === 'GOOD' && (
                  <Button variant="default" size="xs" onClick={() => onRestore(backup)}>
                    {t('restore')}
                  </Button>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function State({ backup: { status, progress, problem } }: { backup: Backup }) {
  const t = useMessages(backupMessages)
  const label = t(`status.${status}`)
  return (
    <>
      <StatusBadge tone={backupTones[status]} isBusy={status === 'RUNNING'}>
        {label}
      </StatusBadge>
      {status === 'RUNNING' && progress.bytesTotal > 0 && (
        <Progress label={label} value={progress.bytesDone / progress.bytesTotal} />
      )}
      {problem !== null && (
        <div className={card.sub}>
          <Foreign>{problem}</Foreign>
        </div>
      )}
    </>
  )
}
