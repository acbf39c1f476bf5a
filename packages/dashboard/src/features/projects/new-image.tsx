import { Button, Stack, TextInput } from '@mantine/core'
import { CreateProject } from '@panel/contract/projects'
import { Link } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { optionalText } from '../../ui/form/optional-text.ts'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { buildFirst } from './new-project.queries.ts'
import { projectMessages } from './projects.messages.ts'
import { useStarted } from './use-started.ts'

const initialValues: CreateProject = { name: '', type: 'IMAGE', image: '' }

export function NewImage() {
  const t = useMessages(projectMessages)
  const openStarted = useStarted()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateProject,
    initialValues,
    send: (body) => data(api.POST('/api/projects', { body })),
    onSaved: async ({ id }) => openStarted(await buildFirst(id)),
    fieldOfCode: { PROJECT_NAME_EXISTS: 'name' }
  })
  return (
    <Section title={t('new.from.image')} hint={t('new.image.hint')}>
      <form onSubmit={submit} noValidate className={formClasses.form}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput label={t('new.name')} description={t('new.name.hint')} {...form.getInputProps('name')} />
          <TextInput
            label={t('image')}
            description={
              <>
                {t('image.hint')} <Link to="/account/registries">{t('image.private')}</Link>
              </>
            }
            placeholder="ghcr.io/org/app:1.2"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            {...optionalText(form.getInputProps('image'))}
          />
          <div>
            <Button type="submit" loading={isPending}>
              {t('new.image.submit')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}
