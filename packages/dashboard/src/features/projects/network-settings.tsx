import { Checkbox } from '@mantine/core'
import { UpdateProject } from '@panel/contract/projects'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { SettingsForm, useProjectForm } from './project-form.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'

const Network = UpdateProject.pick({ reachable: true })

export function NetworkSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const initialValues = { reachable: project.reachable }
  const { form, frame } = useProjectForm({
    project,
    schema: Network,
    initialValues,
    bodyOf: (body) => body,
    saved: 'size.saved'
  })
  const address = project.port === null ? project.name : `${project.name}:${project.port}`
  return (
    <SettingsForm title={t('network')} frame={frame}>
      <Checkbox
        label={t('network.reachable')}
        description={t('network.reachable.hint', { address })}
        {...form.getInputProps('reachable', { type: 'checkbox' })}
      />
    </SettingsForm>
  )
}
