import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { defaultDeployRules, DeployRules } from '@panel/contract/deploy-rules'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { optionalText } from '../../ui/form/optional-text.ts'
import { SettingsForm, useProjectForm } from './project-form.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'

export function DeploySettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const initialValues: DeployRules = project.deployRules ?? defaultDeployRules
  const { form, frame } = useProjectForm({
    project,
    schema: DeployRules,
    initialValues,
    bodyOf: (deployRules) => ({ deployRules })
  })
  const checkbox = (name: 'automatic' | 'branch' | 'skipMarkers') => form.getInputProps(name, { type: 'checkbox' })
  const paths = form.getInputProps('watchPaths') as { defaultValue: string[]; onChange(paths: string[]): void }
  const pathError = Object.entries(form.errors).find(([path]) => path.startsWith('watchPaths'))?.[1]
  return (
    <SettingsForm title={t('deploy.rules')} hint={t('deploy.rules.hint')} frame={frame}>
      <Checkbox label={t('deploy.automatic')} {...checkbox('automatic')} />
      <Checkbox label={t('deploy.branch')} {...checkbox('branch')} />
      <TextInput
        label={t('deploy.tags')}
        description={t('deploy.tags.hint')}
        placeholder="v*"
        {...optionalText(form.getInputProps('tagPattern'))}
      />
      <Textarea
        label={t('deploy.paths')}
        description={t('deploy.paths.hint')}
        placeholder="apps/web/**"
        rows={3}
        {...paths}
        data-path="watchPaths"
        defaultValue={paths.defaultValue.join('\n')}
        onChange={({ currentTarget }) => paths.onChange(linesOf(currentTarget.value))}
        error={pathError}
      />
      <Checkbox label={t('deploy.skip')} {...checkbox('skipMarkers')} />
    </SettingsForm>
  )
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
