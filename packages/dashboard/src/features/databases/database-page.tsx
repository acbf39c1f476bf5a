import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { DangerSection } from '../../ui/danger-section.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { projectQuery } from '../projects/project.queries.ts'
import { useIsUnavailable } from '../system/health.queries.ts'
import classes from './databases.module.css'
import { databaseMessages } from './databases.messages.ts'
import { maskedDatabaseQuery, openDatabase } from './databases.queries.ts'
import { type SnippetName, snippetNames, snippetOf } from './snippets.ts'

export function DatabasePage() {
  const t = useMessages(databaseMessages)
  const { databaseId } = useParams({ from: '/signed-in/databases/$databaseId' })
  const { data: database, error, refetch } = useQuery(maskedDatabaseQuery(databaseId))
  if (error && !database) return <ErrorState isPage error={error} onRetry={() => void refetch()} />
  if (database === undefined) return <RowsSkeleton />
  if (database === null) return <EmptyState isPage title={t('gone')} hint={t('gone.hint')} />
  return (
    <>
      <PageHeader title={database.name} crumbs={[{ label: t('title'), link: { to: '/databases' } }]} />
      <Connection key={database.id} database={database} />
      <Danger database={database} />
    </>
  )
}

function Connection({ database }: { database: Schema<'Database'> }) {
  const t = useMessages(databaseMessages)
  const { bytes } = useI18n()
  // Not cached; discarded with the page.
  const [password, setPassword] = useState<string>()
  const [snippet, setSnippet] = useState<SnippetName>('uri')
  const path = { path: { id: database.id } }
  const keep = ({ password: shown }: Schema<'Database'>) => setPassword(shown)
  const show = useAction({ run: () => openDatabase(database.id), invalidates: [], onDone: keep })
  const isUnavailable = useIsUnavailable(database.type === 'POSTGRESQL' ? 'postgresql' : 'mysql')
  const rotate = useAction({
    run: () => data(api.POST('/api/databases/{id}/rotate-password', { params: path })),
    invalidates: [['databases']],
    onDone: keep,
    done: () => t('rotated')
  })
  const test = useAction({
    run: () => data(api.POST('/api/databases/{id}/test', { params: path })),
    invalidates: [],
    done: (result) => (result.ok ? t('test.ok') : t('test.failed', { error: result.error ?? '' }))
  })
  return (
    <>
      <Section title={t('facts')}>
        <Facts
          rows={[
            { name: t('column.engine'), value: t(`engine.${database.type}`) },
            { name: t('column.account'), value: <code>{database.username}</code> },
            { name: t('column.size'), value: database.sizeBytes === null ? '–' : bytes(database.sizeBytes) },
            { name: t('column.project'), value: <LinkedProject projectId={database.projectId} /> },
            { name: t('created'), value: <Time at={database.createdAt} /> }
          ]}
        />
        <div className={classes.row}>
          <Button variant="default" loading={test.isPending} onClick={() => test.start()}>
            {t('test')}
          </Button>
          <Button component="a" variant="default" href={database.adminUrl} target="_blank" rel="noreferrer">
            {t('adminer')}
          </Button>
        </div>
      </Section>
      <Section title={t('connection')} hint={t('connection.hint')}>
        <div className={classes.row} role="group" aria-label={t('connection')}>
          {snippetNames.map((name) => (
            <Button
              key={name}
              size="xs"
              variant={name === snippet ? 'filled' : 'default'}
              aria-pressed={name === snippet}
              onClick={() => setSnippet(name)}
            >
              {name === 'shell' ? t(`shell.${database.type}`) : name === 'uri' ? t('uri') : name}
            </Button>
          ))}
        </div>
        <pre className={classes.snippet} dir="ltr" tabIndex={0}>
          {snippetOf(snippet, database, password)}
        </pre>
        {password !== undefined && <CopyField label={t('password')} value={password} />}
        <div className={classes.row}>
          {password === undefined && (
            <Button variant="default" loading={show.isPending} onClick={() => show.start()}>
              {t('show')}
            </Button>
          )}
          <Button variant="default" disabled={isUnavailable} loading={rotate.isPending} onClick={() => rotate.start()}>
            {t('rotate')}
          </Button>
        </div>
      </Section>
    </>
  )
}

function LinkedProject({ projectId }: { projectId: string | null }) {
  const t = useMessages(databaseMessages)
  const { data: project } = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== null })
  if (projectId === null) return t('linked.none')
  return (
    <Link to="/projects/$projectId/databases" params={{ projectId }}>
      <Foreign>{project?.name ?? projectId}</Foreign>
    </Link>
  )
}

function Danger({ database: { id, name } }: { database: Schema<'Database'> }) {
  const t = useMessages(databaseMessages)
  const navigate = useNavigate()
  return (
    <DangerSection
      title={t('drop')}
      hint={t('drop.hint')}
      action={t('drop')}
      name={name}
      run={() => data(api.DELETE('/api/databases/{id}', { params: { path: { id } } }))}
      invalidates={[['databases', 'list']]}
      done={() => t('dropped', { name })}
      onDone={() => void navigate({ to: '/databases' })}
    />
  )
}
