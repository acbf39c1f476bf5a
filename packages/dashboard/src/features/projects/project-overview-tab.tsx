import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { DetectionFacts } from './detection-facts.tsx'
import { ImageUpdate } from './image-update.tsx'
import { LatestDeployments } from './latest-deployments.tsx'
import { ProjectRequests, ProjectUptime } from './project-health.tsx'
import classes from './project-overview.module.css'
import { ProjectDomains } from './project-reach.tsx'
import { detectionQuery, projectQuery } from './project.queries.ts'
import { projectMessages } from './projects.messages.ts'
import { useDetected } from './use-detected.ts'

export function ProjectOverviewTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' })
  const { data: project } = useQuery(projectQuery(projectId))
  if (!project) return null
  return (
    <>
      {project.deployedAt === null && <FirstSteps project={project} />}
      {project.deployedAt !== null && <ProjectRequests projectId={projectId} />}
      <div className={classes.columns}>
        <LatestDeployments projectId={projectId} />
        <div>
          <ProjectDomains projectId={projectId} />
          {project.deployedAt !== null && <ProjectUptime projectId={projectId} />}
        </div>
      </div>
      <ProjectFacts project={project} />
      {project.type === 'IMAGE' && <ImageUpdate projectId={projectId} />}
      {project.gitUrl !== null && project.source !== 'FILES' && <DetectionSection projectId={projectId} />}
    </>
  )
}

function FirstSteps({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const isOfFiles = project.source === 'FILES'
  const hasSource = isOfFiles || project.gitUrl !== null || project.image !== null || project.type === 'WORDPRESS'
  const params = { projectId: project.id }
  return (
    <Section title={t('steps')}>
      <ol>
        <li>
          {hasSource ? (
            <s>{t('step.source')}</s>
          ) : (
            <Link to="/projects/$projectId/settings" params={params}>
              {t('step.source')}
            </Link>
          )}
        </li>
        <li>
          {hasSource ? (
            <Link to="/projects/$projectId/deployments" params={params}>
              {t('step.deploy')}
            </Link>
          ) : (
            t('step.deploy')
          )}
        </li>
        <li>{t('step.open')}</li>
      </ol>
    </Section>
  )
}

const sourceOf = ({ source, gitUrl }: Schema<'Project'>) =>
  source === 'FILES' ? undefined : gitUrl === null ? '–' : <code>{gitUrl}</code>

function ProjectFacts({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const detected = useDetected(project)
  const places = project.machines ?? []
  const machines = places.length > 1 ? [{ name: t('fact.machines'), value: <Machines places={places} /> }] : []
  return (
    <Section title={t('facts')}>
      <Facts
        rows={[
          { name: t('fact.type'), value: t(`type.${project.type}`) },
          { name: t('fact.source'), value: sourceOf(project) ?? t('source.FILES') },
          { name: t('fact.branch'), value: project.branch === null ? '–' : <code>{project.branch}</code> },
          {
            name: t('fact.build'),
            value: project.buildCmd === null ? detected.build : <code>{project.buildCmd}</code>
          },
          {
            name: t('fact.start'),
            value: project.startCmd === null ? detected.start : <code>{project.startCmd}</code>
          },
          { name: t('fact.port'), value: project.port === null ? detected.port : String(project.port) },
          ...machines,
          { name: t('fact.created'), value: <Time at={project.createdAt} /> }
        ]}
      />
    </Section>
  )
}

function Machines({ places }: { places: readonly Schema<'ProjectMachine'>[] }) {
  const t = useMessages(projectMessages)
  return (
    <>
      {places.map(({ name, instances: count, isResponding }) => (
        <div key={name}>{t(isResponding ? 'fact.machine' : 'fact.machine.away', { name, count })}</div>
      ))}
    </>
  )
}

function DetectionSection({ projectId }: { projectId: string }) {
  const t = useMessages(projectMessages)
  const { data: detection, error, refetch } = useQuery(detectionQuery(projectId))
  return (
    <Section title={t('detection')} hint={t('detection.hint')}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : detection ? (
        <DetectionFacts detection={detection} />
      ) : (
        <RowsSkeleton rows={3} height={32} />
      )}
    </Section>
  )
}
