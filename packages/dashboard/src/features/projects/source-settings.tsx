import { NativeSelect } from '@mantine/core'
import { projectSources, UpdateProject } from '@panel/contract/projects'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { SettingsForm, useProjectForm } from './project-form.tsx'
import { projectMessages } from './projects.messages.ts'

export function SourceSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const { form, frame } = useProjectForm({
    project,
    schema: UpdateProject,
    initialValues: { source: project.source ?? 'GIT' },
    bodyOf: (body) => body
  })
  return (
    <SettingsForm title={t('fact.source')} hint={t('edit.hint')} frame={frame}>
      <NativeSelect
        label={t('source')}
        description={t('source.hint')}
        data={projectSources.map((value) => ({ value, label: t(`source.${value}`) }))}
        {...form.getInputProps('source')}
      />
    </SettingsForm>
  )
}
