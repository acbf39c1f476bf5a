import { Button } from '@mantine/core'
import { IconExternalLink, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useQuotaNote } from '../../ui/use-quota-note.tsx'
import { useResources } from '../overview/overview.queries.ts'
import { projectQuery } from '../projects/project.queries.ts'
import { domainMessages } from './domains.messages.ts'
import { routesPerPage, routesQuery } from './domains.queries.ts'
import { PointDomain } from './point-domain.tsx'
import { ProjectDomainTable } from './project-domain-table.tsx'

const AddDomain = lazy(() => import('./add-domain.tsx').then((module) => ({ default: module.AddDomain })))

export function ProjectDomainsTab() {
  const t = useMessages(domainMessages)
  const quota = useQuotaNote(useResources()?.maxDomains)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/domains' })
  const { data, error, refetch } = useQuery(routesQuery({ projectId }))
  const [isAdding, setAdding] = useState(false)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={4} height={41} />
  return (
    <>
      <OwnName projectId={projectId} hostnames={data.items.map(({ hostname }) => hostname)} />
      <Section
        title={t('project.domains')}
        hint={t(data.total === 0 ? 'project.domains.none' : 'project.domains.hint')}
        actions={
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={(event) => quota.ask(event, () => setAdding(true))}
          >
            {t('add')}
          </Button>
        }
      >
        {data.items.length > 0 && <ProjectDomainTable domains={data.items} />}
        {data.total > routesPerPage && <Notice tone="info">{t('project.domains.more', { count: data.total })}</Notice>}
      </Section>
      <PointDomain projectId={projectId} />
      {quota.note}
      {isAdding && (
        <Suspense fallback={null}>
          <AddDomain projectId={projectId} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Hidden if the deployment uses one of the project’s own domains. */
function OwnName({ projectId, hostnames }: { projectId: string; hostnames: readonly string[] }) {
  const t = useMessages(domainMessages)
  const { data: project } = useQuery(projectQuery(projectId))
  if (!project) return null
  const { deployedDomain } = project
  if (deployedDomain !== null && hostnames.includes(deployedDomain)) return null
  return (
    <Section title={t('project.name')} hint={t(deployedDomain === null ? 'project.name.none' : 'project.name.hint')}>
      {deployedDomain !== null && (
        <a href={`//${deployedDomain}`} target="_blank" rel="noreferrer">
          <Foreign>{deployedDomain}</Foreign> <IconExternalLink size={14} aria-hidden />
        </a>
      )}
    </Section>
  )
}
