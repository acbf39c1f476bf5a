import { numberFormat } from '../../i18n/formats.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { backupTones } from './backup-tones.ts'
import { backupMessages } from './backups.messages.ts'
import type { BackupDrill } from './backups.queries.ts'

/** Status of a drill, and what it found. */
export function DrillResult({
  drill: { status, start, restoreSeconds, startSeconds, problem }
}: {
  drill: BackupDrill
}) {
  const t = useMessages(backupMessages)
  const { locale } = useI18n()
  const seconds = numberFormat(locale, { style: 'unit', unit: 'second', maximumFractionDigits: 1 })
  return (
    <>
      <StatusBadge tone={backupTones[status]} isBusy={status === 'RUNNING'}>
        {t(`status.${status}`)}
      </StatusBadge>
      {status === 'GOOD' && start !== null && (
        <div className={card.sub}>
          {t(`drill.good.${start}`, {
            restore: seconds.format(restoreSeconds ?? 0),
            start: seconds.format(startSeconds ?? 0)
          })}
        </div>
      )}
      {problem !== null && (
        <div className={card.sub}>
          <Foreign>{problem}</Foreign>
        </div>
      )}
    </>
  )
}
