import { Button } from '@mantine/core'
import { IconExternalLink, IconRocket } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useIsUnavailable } from '../system/health.queries.ts'
import { ContainerActions } from './container-actions.tsx'
import { projectState } from './project-state.ts'
import { build, projectQuery } from './project.queries.ts'
import { projectMessages } from './projects.messages.ts'

const tabs = [
  { label: 'tab.overview', to: '/projects/$projectId' },
  { label: 'tab.deployments', to: '/projects/$projectId/deployments' },
  { label: 'tab.logs', to: '/projects/$projectId/logs' },
  { label: 'tab.files', to: '/projects/$projectId/files' },
  { label: 'tab.volumes', to: '/projects/$projectId/volumes' },
  { label: 'tab.wordpress', to: '/projects/$projectId/wordpress', type: 'WORDPRESS' },
  { label: 'tab.variables', to: '/projects/$projectId/variables' },
  { label: 'tab.domains', to: '/projects/$projectId/domains' },
  { label: 'tab.tcpPorts', to: '/projects/$projectId/tcp-ports' },
  { label: 'tab.databases', to: '/projects/$projectId/databases' },
  { label: 'tab.backups', to: '/projects/$projectId/backups' },
  { label: 'tab.processes', to: '/projects/$projectId/processes' },
  { label: 'tab.jobs', to: '/projects/$projectId/jobs' },
  { label: 'tab.terminal', to: '/projects/$projectId/terminal' },
  { label: 'tab.monitoring', to: '/projects/$projectId/monitoring' },
  { label: 'tab.uptime', to: '/projects/$projectId/uptime' },
  { label: 'tab.settings', to: '/projects/$projectId/settings' }
] as const

const isFor = (tab: (typeof tabs)[number], { type }: Schema<'Project'>) => !('type' in tab) || tab.type === type

export function ProjectPage() {
  const t = useMessages(projectMessages)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' })
  const { data: project, error, refetch } = useQuery(projectQuery(projectId))
  if (error && !project) return <ErrorState isPage error={error} onRetry={() => void refetch()} />
  if (!project) return <RowsSkeleton />
  const { word, tone, isBusy } = projectState(project)
  return (
    <>
      <PageHeader
        title={project.name}
        crumbs={[{ label: t('title'), link: { to: '/projects' } }]}
        badge={
          <StatusBadge tone={tone} isBusy={isBusy ?? false}>
            {t(word)}
          </StatusBadge>
        }
        facts={
          project.deployedDomain !== null && (
            <>
              <SiteLink host={project.deployedDomain} />
              <Link to="/site-check" search={{ host: project.deployedDomain }}>
                {t('checkSite')}
              </Link>
            </>
          )
        }
        actions={<Actions project={project} />}
      />
      <Tabs
        label={t('tabs')}
        of={project.name}
        items={tabs
          .filter((tab) => isFor(tab, project))
          .map(({ label, to }) => ({
            label: t(label),
            link: { to, params: { projectId }, activeOptions: { exact: label === 'tab.overview' } }
          }))}
      />
      <Outlet />
    </>
  )
}

function SiteLink({ host }: { host: string }) {
  return (
    <a href={`//${host}`} target="_blank" rel="noreferrer">
      <Foreign>{host}</Foreign> <IconExternalLink size={14} aria-hidden />
    </a>
  )
}

function Actions({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const isUnavailable = useIsUnavailable('containerEngine')
  const navigate = useNavigate()
  const deploy = useAction({
    run: () => build(project.id),
    invalidates: [['projects', project.id]],
    onDone: ({ id }) =>
      void navigate({
        to: '/projects/$projectId/deployments',
        params: { projectId: project.id },
        search: { d: id }
      })
  })
  return (
    <>
      {project.deployedDomain !== null && (
        <Button
          component="a"
          variant="default"
          href={`//${project.deployedDomain}`}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {t('open.site')}
        </Button>
      )}
      <ContainerActions project={project} />
      <Button
        leftSection={<IconRocket size={16} aria-hidden />}
        loading={deploy.isPending}
        disabled={isUnavailable}
        onClick={() => deploy.start()}
      >
        {t('deploy')}
      </Button>
    </>
  )
}
