import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { CreateProject } from '@panel/contract/projects'
import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ArchiveChoice } from '../../ui/archive-choice.tsx'
import { uploadFirst } from './new-project.queries.ts'
import { projectMessages } from './projects.messages.ts'
import { useStarted } from './use-started.ts'

const filesTypes = ['STATIC', 'PHP'] as const

export function NewFiles() {
  const t = useMessages(projectMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const openStarted = useStarted()
  const [file, setFile] = useState<File>()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateProject,
    initialValues: { name: '', type: 'STATIC', source: 'FILES' } as CreateProject,
    send: async (body) => {
      const { id } = await data(api.POST('/api/projects', { body }))
      return { id, started: file && (await uploadFirst(id, file)) }
    },
    onSaved: async ({ id, started }) => {
      if (started) return openStarted(started)
      await client.invalidateQueries({ queryKey: ['projects', 'list'] })
      await navigate({ to: '/projects/$projectId/files', params: { projectId: id } })
    },
    fieldOfCode: { PROJECT_NAME_EXISTS: 'name' }
  })
  return (
    <Section title={t('new.from.files')} hint={t('new.files.hint')}>
      <form onSubmit={submit} noValidate className={formClasses.form}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput label={t('new.name')} description={t('new.name.hint')} {...form.getInputProps('name')} />
          <NativeSelect
            label={t('new.files.type')}
            description={t('new.files.type.hint')}
            data={filesTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
            {...form.getInputProps('type')}
          />
          <ArchiveChoice file={file} onFile={setFile} />
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
