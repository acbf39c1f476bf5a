import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { DangerSection } from '../../ui/danger-section.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { BuildSettings } from './build-settings.tsx'
import { CommitStatusSection } from './commit-status-section.tsx'
import { DeployHookSection } from './deploy-hook-section.tsx'
import { DeployKeySection } from './deploy-key-section.tsx'
import { DeploySettings } from './deploy-settings.tsx'
import { HealthSettings } from './health-settings.tsx'
import { ImageSettings } from './image-settings.tsx'
import { InstanceSettings } from './instance-settings.tsx'
import { gitQuery, projectQuery } from './project.queries.ts'
import { projectSettingsMessages } from './project-settings.messages.ts'
import { RepositorySection } from './repository-section.tsx'
import { NetworkSettings } from './network-settings.tsx'
import { SleepSettings } from './sleep-settings.tsx'
import { SizeSettings } from './size-settings.tsx'
import { SourceSettings } from './source-settings.tsx'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { WebhookSection } from './webhook-section.tsx'

export function ProjectSettingsTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' })
  const { data: project } = useQuery(projectQuery(projectId))
  if (!project) return null
  return (
    <>
      {(project.type === 'STATIC' || project.type === 'PHP') && (
        <SourceSettings key={`${project.id} source`} project={project} />
      )}
      <BuildSettings key={project.id} project={project} />
      <SizeSettings key={`${project.id} size`} project={project} />
      {project.type !== 'WORDPRESS' && <InstanceSettings key={`${project.id} instances`} project={project} />}
      <NetworkSettings key={`${project.id} network`} project={project} />
      <SleepSettings key={`${project.id} sleep`} project={project} />
      <HealthSettings key={`${project.id} health`} project={project} />
      {project.type === 'IMAGE' && <ImageSettings key={`${project.id} image`} project={project} />}
      {project.type !== 'WORDPRESS' && project.type !== 'IMAGE' && <GitSettings project={project} />}
      <DangerZone project={project} />
    </>
  )
}

function GitSettings({ project }: { project: Schema<'Project'> }) {
  const { id: projectId } = project
  const t = useMessages(projectSettingsMessages)
  const { data: git, error, refetch } = useQuery(gitQuery(projectId))
  if (!git)
    return (
      <Section title={t('repository')}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <RowsSkeleton rows={3} height={52} />}
      </Section>
    )
  return (
    <>
      <RepositorySection key={`${projectId} ${git.gitUrl} ${git.branch}`} projectId={projectId} git={git} />
      <DeployKeySection projectId={projectId} publicKey={git.sshPublicKey} />
      {git.gitUrl !== null && (
        <>
          <DeploySettings key={`${projectId} rules`} project={project} />
          <WebhookSection key={projectId} projectId={projectId} url={git.webhookUrl} />
          <DeployHookSection key={`${projectId} hook`} projectId={projectId} />
          <CommitStatusSection key={`${projectId} commit status`} projectId={projectId} />
          <WebhookDeliveries projectId={projectId} />
        </>
      )}
    </>
  )
}

function DangerZone({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const navigate = useNavigate()
  return (
    <DangerSection
      title={t('danger')}
      hint={t('danger.hint')}
      action={t('delete')}
      name={project.name}
      run={() => data(api.DELETE('/api/projects/{id}', { params: { path: { id: project.id } } }))}
      invalidates={[['projects', 'list']]}
      done={() => t('deleted', { name: project.name })}
      onDone={() => void navigate({ to: '/projects' })}
    />
  )
}
