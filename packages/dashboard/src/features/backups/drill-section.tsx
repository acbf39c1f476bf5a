import { Button } from '@mantine/core'
import { IconTestPipe } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { startDrill } from './backup-actions.ts'
import { backupMessages } from './backups.messages.ts'
import { type BackupDrill, drillsQuery } from './backups.queries.ts'
import { DrillResult } from './drill-result.tsx'

/** The latest drills of all projects. */
export function DrillSection({ isReady }: { isReady: boolean }) {
  const t = useMessages(backupMessages)
  const start = useAction({
    run: startDrill,
    invalidates: [['backups', 'drills']],
    done: ({ projectName }) => t('drill.started', { name: projectName })
  })
  return (
    <Section
      title={t('drills')}
      hint={t('drills.hint')}
      actions={
        <Button
          variant="default"
          leftSection={<IconTestPipe size={16} aria-hidden />}
          disabled={!isReady}
          loading={start.isPending}
          onClick={() => start.start()}
        >
          {t('drill.start')}
        </Button>
      }
    >
      <Rows />
    </Section>
  )
}

function Rows() {
  const t = useMessages(backupMessages)
  const { data, error, refetch } = useQuery(drillsQuery)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={2} height={41} />
  if (data.drills.length === 0) return <EmptyState title={t('drills.none')} hint={t('drills.none.hint')} />
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('column.when')}</th>
          <th scope="col">{t('column.project')}</th>
          <th scope="col">{t('column.backup')}</th>
          <th scope="col">{t('column.result')}</th>
        </tr>
      </thead>
      <tbody>
        {data.drills.map((drill) => (
          <Row key={drill.id} drill={drill} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ drill }: { drill: BackupDrill }) {
  return (
    <tr>
      <td>
        <Time at={drill.createdAt} />
      </td>
      <td>
        <Link to="/projects/$projectId/backups" params={{ projectId: drill.projectId }}>
          <CutName name={drill.projectName} tail={6} />
        </Link>
      </td>
      <td className={card.sub}>
        <Time at={drill.backupTakenAt} /> <Foreign>{drill.targetName}</Foreign>
      </td>
      <td>
        <DrillResult drill={drill} />
      </td>
    </tr>
  )
}
