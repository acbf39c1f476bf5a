import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { CreateProject } from '@panel/contract/projects'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { buildFirst } from './new-project.queries.ts'
import { projectMessages } from './projects.messages.ts'
import { useStarted } from './use-started.ts'

export function NewWordpress() {
  const t = useMessages(projectMessages)
  const navigate = useNavigate()
  const openStarted = useStarted()
  const [isLater, setLater] = useState(false)
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateProject,
    initialValues: { name: '', type: 'WORDPRESS' },
    send: (body) => data(api.POST('/api/projects', { body })),
    onSaved: async ({ id: projectId }) => {
      if (isLater) return navigate({ to: '/projects/$projectId/wordpress', params: { projectId } })
      return openStarted(await buildFirst(projectId))
    },
    fieldOfCode: { PROJECT_NAME_EXISTS: 'name' }
  })
  return (
    <Section title={t('new.from.wordpress')} hint={t('new.wordpress.hint')}>
      <form onSubmit={submit} noValidate className={formClasses.form}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput label={t('new.name')} description={t('new.name.hint')} {...form.getInputProps('name')} />
          <Checkbox
            label={t('new.wordpress.later')}
            checked={isLater}
            onChange={({ currentTarget }) => setLater(currentTarget.checked)}
          />
          <div>
            <Button type="submit" loading={isPending}>
              {t('new.wordpress.submit')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}
