import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { defaultDeployRules, DeployRules } from '@panel/contract/deploy-rules'
import { useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { optionalText } from '../../ui/form/optional-text.ts'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { useFollowing } from '../../ui/form/use-following.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'

export function DeploySettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectSettingsMessages)
  const client = useQueryClient()
  const initialValues: DeployRules = project.deployRules ?? defaultDeployRules
  const { form, submit, isPending, failure } = useContractForm({
    schema: DeployRules,
    initialValues,
    send: (deployRules) =>
      data(api.PUT('/api/projects/{id}', { params: { path: { id: project.id } }, body: { deployRules } })),
    onSaved: async () => {
      notifications.show({ message: t('saved'), role: 'status' })
      await client.invalidateQueries({ queryKey: ['projects'] })
    }
  })
  const key = useFollowing(form, initialValues)
  const checkbox = (name: 'automatic' | 'branch' | 'skipMarkers') => form.getInputProps(name, { type: 'checkbox' })
  const paths = form.getInputProps('watchPaths') as { defaultValue: string[]; onChange(paths: string[]): void }
  const pathError = Object.entries(form.errors).find(([path]) => path.startsWith('watchPaths'))?.[1]
  return (
    <Section title={t('deploy.rules')} hint={t('deploy.rules.hint')}>
      <form key={key} onSubmit={submit} noValidate className={formClasses.form} aria-label={t('deploy.rules')}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
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
          <Group>
            <Button type="submit" loading={isPending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
