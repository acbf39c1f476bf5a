import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { EnvKey, EnvValue } from '@panel/contract/env-vars'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { variableMessages } from './variables.messages.ts'
import { variablesKey } from './variables.queries.ts'

const Variable = z.object({ key: EnvKey, value: EnvValue })

export function VariableForm({ projectId }: { projectId: string }) {
  const t = useMessages(variableMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: Variable,
    initialValues: { key: '', value: '' },
    send: async (body) => {
      await data(api.POST('/api/projects/{id}/env', { params: { path: { id: projectId } }, body }))
      return body
    },
    onSaved: ({ key }) => {
      notifications.show({ message: t('saved', { key }), role: 'status' })
      form.reset()
      void client.invalidateQueries({ queryKey: variablesKey(projectId) })
    }
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput label={t('key')} autoComplete="off" {...form.getInputProps('key')} key={form.key('key')} />
        <Textarea
          label={t('value')}
          autoComplete="off"
          rows={2}
          {...form.getInputProps('value')}
          key={form.key('value')}
        />
        <div>
          <Button type="submit" loading={isPending}>
            {t('save')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
