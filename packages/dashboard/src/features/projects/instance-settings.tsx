import { Checkbox, NumberInput } from '@mantine/core'
import { UpdateProject } from '@panel/contract/projects'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { SettingsForm, useProjectForm } from './project-form.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'

const Instances = UpdateProject.pick({ instances: true, stickySessions: true, restartWhenHung: true })

export function InstanceSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const { instances, stickySessions, restartWhenHung } = project
  const initialValues = { instances, stickySessions, restartWhenHung }
  const { form, frame } = useProjectForm({
    project,
    schema: Instances,
    initialValues,
    bodyOf: (body) => body,
    saved: 'size.saved'
  })
  return (
    <SettingsForm title={t('instances')} hint={t('instances.hint')} frame={frame}>
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
    </SettingsForm>
  )
}
