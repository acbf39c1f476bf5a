import { Button, Checkbox, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { UpdateProject } from '@panel/contract/projects'
import { useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { useFollowing } from '../../ui/form/use-following.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'

const Network = UpdateProject.pick({ reachable: true })

export function NetworkSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const client = useQueryClient()
  const initialValues = { reachable: project.reachable }
  const { form, submit, isPending, failure } = useContractForm({
    schema: Network,
    initialValues,
    send: (body) => data(api.PUT('/api/projects/{id}', { params: { path: { id: project.id } }, body })),
    onSaved: async () => {
      notifications.show({ message: t('size.saved'), role: 'status' })
      await client.invalidateQueries({ queryKey: ['projects'] })
    }
  })
  const key = useFollowing(form, initialValues)
  const address = project.port === null ? project.name : `${project.name}:${project.port}`
  return (
    <Section title={t('network')}>
      <form key={key} onSubmit={submit} noValidate className={formClasses.form} aria-label={t('network')}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <Checkbox
            label={t('network.reachable')}
            description={t('network.reachable.hint', { address })}
            {...form.getInputProps('reachable', { type: 'checkbox' })}
          />
          <div>
            <Button type="submit" loading={isPending}>
              {t('save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}
