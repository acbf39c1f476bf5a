import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { CreateProject, projectTypes } from '@panel/contract/projects'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { projectMessages } from './projects.messages.ts'

export function NewEmptyProject() {
  const t = useMessages(projectMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateProject,
    initialValues: { name: '', type: 'NODEJS' },
    send: (body) => data(api.POST('/api/projects', { body })),
    onSaved: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['projects', 'list'] })
      await navigate({ to: '/projects/$projectId', params: { projectId: id } })
    },
    fieldOfCode: { PROJECT_NAME_EXISTS: 'name' }
  })
  return (
    <Section title={t('new.from.empty')} hint={t('new.empty.hint')}>
      <form onSubmit={submit} noValidate className={formClasses.form}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput label={t('new.name')} description={t('new.name.hint')} {...form.getInputProps('name')} />
          <NativeSelect
            label={t('new.type')}
            data={projectTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
            {...form.getInputProps('type')}
          />
          <div>
            <Button type="submit" loading={isPending}>
              {t('new.submit')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}
