import { Button, Checkbox, NumberInput, Stack } from '@mantine/core'
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

const Instances = UpdateProject.pick({ instances: true, stickySessions: true, restartWhenHung: true })

export function InstanceSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const client = useQueryClient()
  const { instances, stickySessions, restartWhenHung } = project
  const initialValues = { instances, stickySessions, restartWhenHung }
  const { form, submit, isPending, failure } = useContractForm({
    schema: Instances,
    initialValues,
    send: (body) => data(api.PUT('/api/projects/{id}', { params: { path: { id: project.id } }, body })),
    onSaved: async () => {
      notifications.show({ message: t('size.saved'), role: 'status' })
      await client.invalidateQueries({ queryKey: ['projects'] })
    }
  })
  const key = useFollowing(form, initialValues)
  return (
    <Section title={t('instances')} hint={t('instances.hint')}>
      <form key={key} onSubmit={submit} noValidate className={formClasses.form} aria-label={t('instances')}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <NumberInput
            label={t('instances.count')}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps('instances')}
          />
          <Checkbox
            label={t('instances.sticky')}
            description={t('instances.sticky.hint')}
            {...form.getInputProps('stickySessions', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('instances.restart')}
            description={t('instances.restart.hint')}
            {...form.getInputProps('restartWhenHung', { type: 'checkbox' })}
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
