import { Button, NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { SaveStatusPage } from '@panel/contract/status-pages'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { safeUrl } from '../../ui/safe-url.ts'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { projectQuery } from '../projects/project.queries.ts'
import { uptimeMessages } from './uptime-checks.messages.ts'
import { statusPageQuery } from './status-page.queries.ts'

export function StatusPageSection({ projectId }: { projectId: string }) {
  const t = useMessages(uptimeMessages)
  const { data: page, error, refetch } = useQuery(statusPageQuery(projectId))
  const { data: project } = useQuery(projectQuery(projectId))
  return (
    <Section title={t('page')} hint={t('page.hint')}>
      {error && page === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && page === undefined && <RowsSkeleton rows={2} height={44} />}
      {page !== undefined && project && (
        <PageForm key={page?.updatedAt} projectId={projectId} page={page} title={page?.title ?? project.name} />
      )}
    </Section>
  )
}

interface PageFormProps {
  projectId: string
  page: Schema<'StatusPage'> | null
  title: string
}

function PageForm({ projectId, page, title }: PageFormProps) {
  const t = useMessages(uptimeMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: SaveStatusPage,
    initialValues: { enabled: page?.enabled ?? false, title, slug: page?.slug, showDays: page?.showDays ?? 30 },
    send: (body) => data(api.PUT('/api/projects/{id}/status-page', { params: { path: { id: projectId } }, body })),
    onSaved: (saved) => {
      notifications.show({ message: t(saved.enabled ? 'page.on' : 'page.off'), role: 'status' })
      client.setQueryData(statusPageQuery(projectId).queryKey, saved)
    },
    fieldOfCode: { CONFLICT: 'slug' }
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        {page?.enabled && <PageLink url={page.url} />}
        <Switch label={t('page.enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
        <TextInput label={t('page.title')} {...form.getInputProps('title')} />
        <TextInput
          label={t('page.slug')}
          description={t('page.slug.hint')}
          defaultValue={form.getInitialValues().slug ?? ''}
          onChange={({ currentTarget: { value } }) => form.setFieldValue('slug', value === '' ? undefined : value)}
          error={form.errors.slug}
          data-path="slug"
          autoCapitalize="none"
          spellCheck={false}
        />
        <NumberInput
          label={t('page.days')}
          min={1}
          max={90}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('showDays')}
        />
        <div>
          <Button type="submit" variant="default" loading={isPending}>
            {t('save')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function PageLink({ url }: { url: string }) {
  const t = useMessages(uptimeMessages)
  return (
    <div>
      <CopyField label={t('page.url')} value={url} />
      {safeUrl(url) !== undefined && (
        <p>
          <a href={safeUrl(url)} target="_blank" rel="noreferrer">
            {t('page.open')}
          </a>
        </p>
      )}
    </div>
  )
}
