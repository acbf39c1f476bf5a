import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { UpdateProject } from '@panel/contract/projects'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { optionalText } from '../../ui/form/optional-text.ts'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { useFollowing } from '../../ui/form/use-following.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'
import { projectMessages } from './projects.messages.ts'

export function ImageSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const ofSettings = useMessages(projectSettingsMessages)
  const client = useQueryClient()
  const initialValues = { image: project.image, imageAutoDeploy: project.imageAutoDeploy }
  const { form, submit, isPending, failure } = useContractForm({
    schema: UpdateProject,
    initialValues,
    send: (body) => data(api.PUT('/api/projects/{id}', { params: { path: { id: project.id } }, body })),
    onSaved: async () => {
      notifications.show({ message: ofSettings('saved'), role: 'status' })
      await client.invalidateQueries({ queryKey: ['projects'] })
    }
  })
  const key = useFollowing(form, initialValues)
  return (
    <Section title={t('image')} hint={t('edit.hint')}>
      <form key={key} onSubmit={submit} noValidate className={formClasses.form} aria-label={t('image')}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput
            label={t('image')}
            description={
              <>
                {t('image.hint')} <Link to="/account/registries">{t('image.private')}</Link>
              </>
            }
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            {...optionalText(form.getInputProps('image'))}
          />
          <Checkbox
            label={t('image.auto')}
            description={t('image.auto.hint')}
            {...form.getInputProps('imageAutoDeploy', { type: 'checkbox' })}
          />
          <div>
            <Button type="submit" loading={isPending}>
              {ofSettings('save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}
