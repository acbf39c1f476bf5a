import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useQuotaNote } from '../../ui/use-quota-note.tsx'
import { useResources } from '../overview/overview.queries.ts'
import { projectQuery } from '../projects/project.queries.ts'
import { databaseMessages } from './databases.messages.ts'
import { projectDatabasesQuery } from './databases.queries.ts'
import { LinkDatabase } from './link-database.tsx'
import { ProjectDatabaseTable } from './project-database-table.tsx'
import { suggestedName } from './suggested-name.ts'

const AddDatabase = lazy(() => import('./add-database.tsx').then((module) => ({ default: module.AddDatabase })))

export function ProjectDatabasesTab() {
  const t = useMessages(databaseMessages)
  const quota = useQuotaNote(useResources()?.maxDatabases)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/databases' })
  const { data, error, refetch } = useQuery(projectDatabasesQuery(projectId))
  const { data: project } = useQuery(projectQuery(projectId))
  const [isAdding, setAdding] = useState(false)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={3} height={41} />
  const { databases } = data
  const hasVariables = databases.some(({ autoInjectEnv }) => autoInjectEnv)
  return (
    <>
      <Section
        title={t('title')}
        hint={t(databases.length === 0 ? 'project.none' : 'project.hint')}
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
        {databases.length > 0 && <ProjectDatabaseTable databases={databases} />}
      </Section>
      <LinkDatabase projectId={projectId} hasVariables={hasVariables} />
      {quota.note}
      {isAdding && (
        <Suspense fallback={null}>
          <AddDatabase
            link={{ projectId, autoInjectEnv: !hasVariables }}
            suggestedName={suggestedName(project?.name ?? '', databases)}
            onClose={() => setAdding(false)}
          />
        </Suspense>
      )}
    </>
  )
}
