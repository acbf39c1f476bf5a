import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Progress } from '../../ui/progress.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { serverDiskMessages } from './server-disk.messages.ts'
import { type DiskCleanup, isRunning } from './server-disk.queries.ts'

const tones: Record<DiskCleanup['status'], Tone> = {
  QUEUED: 'info',
  RUNNING: 'info',
  COMPLETED: 'ok',
  FAILED: 'bad'
}

export function CleanupSection({ cleanup }: { cleanup: DiskCleanup }) {
  const t = useMessages(serverDiskMessages)
  const { dateTime } = useI18n()
  return (
    <Section
      title={t('cleanup')}
      hint={dateTime(cleanup.endedAt ?? cleanup.createdAt)}
      actions={<StatusBadge tone={tones[cleanup.status]}>{t(`cleanup.${cleanup.status}`)}</StatusBadge>}
    >
      <table className={`${card.table} ${card.cards}`}>
        <thead>
          <tr>
            <th scope="col">{t('column.kind')}</th>
            <th scope="col">{t('column.removed')}</th>
            <th scope="col" className={card.end}>
              {t('column.freed')}
            </th>
          </tr>
        </thead>
        <tbody>
          {cleanup.kinds.map((kind) => (
            <Row key={kind} kind={kind} cleanup={cleanup} />
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Row({ kind, cleanup }: { kind: DiskCleanup['kinds'][number]; cleanup: DiskCleanup }) {
  const t = useMessages(serverDiskMessages)
  const { bytes } = useI18n()
  const result = cleanup.results.find((each) => each.kind === kind)
  const group = t(`group.${kind}`)
  const done = result ? result.removed + result.failed : 0
  const isGoing = isRunning(cleanup) && result !== undefined && done < result.total
  return (
    <tr>
      <td>{group}</td>
      <td>
        {isGoing && <Progress label={t('cleanup.progress', { kind: group })} value={done / result.total} />}
        {result ? t('cleanup.of', { removed: result.removed, total: result.total }) : '–'}
        {result && result.failed > 0 && !isGoing && (
          <p className={card.sub}>{t('cleanup.stayed', { count: result.failed })}</p>
        )}
        {result?.problem && <p className={card.sub}>{result.problem}</p>}
      </td>
      <td className={card.end}>{result ? bytes(result.bytes) : '–'}</td>
    </tr>
  )
}
