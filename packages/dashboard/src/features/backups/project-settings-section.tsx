import { Button, Stack, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ProjectBackupSettings } from '@panel/contract/backup-schedule'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { linesOf } from '../../ui/form/lines.ts'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { backupMessages } from './backups.messages.ts'
import { projectSettingsQuery } from './backups.queries.ts'
import { ScheduleTimes } from './schedule-times.tsx'

/** When the project is backed up on its own, and what is skipped. */
export function ProjectSettingsSection({ projectId }: { projectId: string }) {
  const t = useMessages(backupMessages)
  const { data: settings, error, refetch } = useQuery(projectSettingsQuery(projectId))
  return (
    <Section title={t('settings')} hint={t('settings.hint')}>
      {settings ? (
        <SettingsForm projectId={projectId} settings={settings} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton rows={3} height={41} />
      )}
    </Section>
  )
}

const SettingsBody = ProjectBackupSettings.extend({ excluded: linesOf(ProjectBackupSettings.shape.excluded) })

function SettingsForm({ projectId, settings }: { projectId: string; settings: Schema<'ProjectBackupSettings'> }) {
  const t = useMessages(backupMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: SettingsBody,
    initialValues: { ...settings, excluded: settings.excluded.join('\n') },
    send: (body) => data(api.PUT('/api/projects/{id}/backup-settings', { params: { path: { id: projectId } }, body })),
    onSaved: (saved) => {
      notifications.show({ message: t('settings.saved'), role: 'status' })
      client.setQueryData(projectSettingsQuery(projectId).queryKey, saved)
    }
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form} aria-label={t('settings')}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <ScheduleTimes label={t('settings.on')} form={form} weekdays={settings.weekdays} />
        <Textarea
          label={t('excluded')}
          description={t('excluded.hint')}
          rows={4}
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('excluded')}
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
