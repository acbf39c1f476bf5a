import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { CreateProject, projectTypes } from '@panel/contract/projects'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import formClasses from '../../ui/form/form.module.css'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/section.tsx'
import { projectMessages } from './projects.messages.ts'

const orUndefined = (text: string | null | undefined) => (text === '' ? undefined : text)

export function NewProjectPage() {
  const t = useMessages(projectMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateProject,
    initialValues: { name: '', type: 'NODEJS', gitUrl: '', branch: 'main' },
    send: ({ gitUrl, branch, ...body }) =>
      data(
        api.POST('/api/projects', {
          body: { ...body, ...(orUndefined(gitUrl) && { gitUrl, branch: orUndefined(branch) }) }
        })
      ),
    onSaved: async (project) => {
      await client.invalidateQueries({ queryKey: ['projects', 'list'] })
      await navigate({ to: '/projects/$projectId', params: { projectId: project.id } })
    },
    fieldOfCode: { PROJECT_NAME_EXISTS: 'name' }
  })
  return (
    <>
      <PageHeader title={t('new')} crumbs={[{ label: t('title'), link: { to: '/projects' } }]} facts={t('new.hint')} />
      <Section title={t('new')}>
        <form onSubmit={submit} noValidate className={formClasses.form}>
          <Stack gap="md">
            {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
            <TextInput label={t('new.name')} description={t('new.name.hint')} {...form.getInputProps('name')} />
            <NativeSelect
              label={t('new.type')}
              data={projectTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
              {...form.getInputProps('type')}
            />
            <TextInput label={t('new.gitUrl')} description={t('new.gitUrl.hint')} {...form.getInputProps('gitUrl')} />
            <TextInput label={t('new.branch')} {...form.getInputProps('branch')} />
            <div>
              <Button type="submit" loading={isPending}>
                {t('new.submit')}
              </Button>
            </div>
          </Stack>
        </form>
      </Section>
    </>
  )
}
