import { Checkbox, TextInput } from '@mantine/core'
import { UpdateProject } from '@panel/contract/projects'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { optionalText } from '../../ui/form/optional-text.ts'
import { SettingsForm, useProjectForm } from './project-form.tsx'
import { projectMessages } from './projects.messages.ts'

export function ImageSettings({ project }: { project: Schema<'Project'> }) {
  const t = useMessages(projectMessages)
  const initialValues = { image: project.image, imageAutoDeploy: project.imageAutoDeploy }
  const { form, frame } = useProjectForm({
    project,
    schema: UpdateProject,
    initialValues,
    bodyOf: (body) => body
  })
  return (
    <SettingsForm title={t('image')} hint={t('edit.hint')} frame={frame}>
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
    </SettingsForm>
  )
}
