import { Button } from '@mantine/core'
import { IconDownload, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { projectQuery } from '../projects/project.queries.ts'
import { CareSection } from './care-section.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportSite } from './import-site.tsx'
import { PageCache } from './page-cache.tsx'
import { wordpressMessages } from './wordpress.messages.ts'
import classes from './wordpress.module.css'
import { exportUrl, latestImportQuery } from './wordpress.queries.ts'

export function WordpressTab() {
  const t = useMessages(wordpressMessages)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/wordpress' })
  const { data: project } = useQuery(projectQuery(projectId))
  if (!project) return <RowsSkeleton />
  if (project.type !== 'WORDPRESS') return <EmptyState title={t('other')} hint={t('other.hint')} />
  return (
    <>
      <Site project={project} />
      <PageCache project={project} />
      {project.deployedAt !== null && <CareSection projectId={project.id} name={project.name} />}
      <Import project={project} />
    </>
  )
}

function Site({ project: { id, deployedAt, deployedDomain } }: { project: Schema<'Project'> }) {
  const t = useMessages(wordpressMessages)
  return (
    <Section title={t('site')} hint={t('site.hint')}>
      {deployedAt === null ? (
        <Notice tone="info">{t('site.none')}</Notice>
      ) : (
        <div className={classes.row}>
          {deployedDomain !== null && (
            <Button
              component="a"
              variant="default"
              href={`//${deployedDomain}/wp-admin/`}
              target="_blank"
              rel="noreferrer"
              leftSection={<IconExternalLink size={16} aria-hidden />}
            >
              {t('admin')}
            </Button>
          )}
          <Button
            component="a"
            variant="default"
            href={exportUrl(id)}
            download
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('export')}
          </Button>
        </div>
      )}
    </Section>
  )
}

function Import({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(wordpressMessages)
  const { data: latest, error, refetch } = useQuery(latestImportQuery(project.id))
  return (
    <Section title={t('import')} hint={t('import.hint')}>
      {error && latest === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : latest === undefined ? (
        <RowsSkeleton rows={2} />
      ) : (
        <>
          {latest && <ImportProgress latest={latest} />}
          <ImportSite project={project} latest={latest} />
        </>
      )}
    </Section>
  )
}
