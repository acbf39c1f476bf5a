import { useInViewport } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import type { Schema } from '../../api/client.ts'
import { CutName } from '../../ui/cut-name.tsx'
import { Section } from '../../ui/section.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { trafficQuery } from '../monitoring/monitoring.queries.ts'
import { useChartFormats } from '../monitoring/use-chart-formats.ts'
import { projectState } from '../projects/project-state.ts'
import { projectMessages } from '../projects/projects.messages.ts'
import { projectsQuery } from '../projects/projects.queries.ts'
import classes from './overview.module.css'
import { overviewMessages } from './overview.messages.ts'

type Project = Schema<'Project'>

const shown = 6

/** The account's projects with their state and the traffic of the last 24 hours. */
export function SitesSection() {
  const t = useMessages(overviewMessages)
  const { data, error, refetch } = useQuery(projectsQuery({}))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={3} height={48} />
  const { projects, pagination } = data
  if (projects.length === 0) return null
  return (
    <Section
      title={t('sites')}
      hint={t('sites.hint')}
      actions={<Link to="/projects">{t('sites.all', { count: pagination.total })}</Link>}
    >
      <ul className={`${classes.rows} ${classes.sites}`}>
        {projects.slice(0, shown).map((project) => (
          <SiteRow key={project.id} project={project} />
        ))}
      </ul>
    </Section>
  )
}

function SiteRow({ project }: { project: Project }) {
  const t = useMessages(overviewMessages)
  const words = useMessages(projectMessages)
  const { number, percent } = useI18n()
  const format = useChartFormats()
  // On a phone, the rows lie below the first screen.
  const { ref, inViewport } = useInViewport<HTMLLIElement>()
  const { data: traffic } = useQuery({ ...trafficQuery(project.id, '24h'), enabled: inViewport })
  const { word, tone, isBusy = false } = projectState(project)
  const total = traffic?.total
  return (
    <li ref={ref} className={classes.deployment}>
      <div className={classes.what}>
        <Link to="/projects/$projectId" params={{ projectId: project.id }} className={classes.name}>
          <CutName name={project.name} tail={12} />
        </Link>
        <StatusBadge tone={tone} isBusy={isBusy}>
          {words(word)}
        </StatusBadge>
      </div>
      <span className={classes.spark}>
        {total !== undefined && total.requests > 0 && (
          <Sparkline values={traffic?.points.map(({ requests }) => requests) ?? []} />
        )}
      </span>
      <span className={classes.when}>
        {total && t('sites.requests', { count: total.requests, amount: number(total.requests) })}
      </span>
      <span className={classes.when}>
        {total?.errorShare != null && t('sites.errors', { share: percent(total.errorShare) })}
        {total?.p95Ms != null && ` · p95 ${format.ms(total.p95Ms)}`}
      </span>
    </li>
  )
}
