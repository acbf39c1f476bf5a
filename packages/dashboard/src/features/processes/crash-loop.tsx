import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { processMessages } from './processes.messages.ts'
import type { ProjectProcess } from './processes.queries.ts'
import classes from './processes.module.css'

export function OutOfMemory({ process: { name, type, outOfMemoryAt } }: { process: ProjectProcess }) {
  const t = useMessages(processMessages)
  const { dateTime } = useI18n()
  if (type !== 'WORKER' || outOfMemoryAt === null) return null
  return <Notice tone="bad">{t('outOfMemory', { name, since: dateTime(outOfMemoryAt) })}</Notice>
}

/** Why a worker does not stay up. */
export function CrashLoop({ process: { name, crashingSince, lastLines } }: { process: ProjectProcess }) {
  const t = useMessages(processMessages)
  const { dateTime } = useI18n()
  if (crashingSince === null) return null
  return (
    <Notice tone="bad">
      {t('crashing', { name, since: dateTime(crashingSince) })}
      {lastLines !== null && lastLines.trim() !== '' && (
        <pre className={classes.lines} dir="ltr" tabIndex={0} aria-label={t('lastLines', { name })}>
          {lastLines}
        </pre>
      )}
    </Notice>
  )
}
