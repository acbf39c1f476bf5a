import { NativeSelect, TextInput } from '@mantine/core'
import { CreateDatabase } from '@panel/contract/databases'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { healthQuery } from '../system/health.queries.ts'
import { databaseMessages } from './databases.messages.ts'

interface AddDatabaseProps {
  link?: { projectId: string; autoInjectEnv: boolean }
  suggestedName?: string
  onClose(): void
}

export function AddDatabase({ link, suggestedName = '', onClose }: AddDatabaseProps) {
  const t = useMessages(databaseMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: health } = useQuery(healthQuery)
  const contractForm = useContractForm({
    schema: CreateDatabase,
    initialValues: { name: suggestedName, type: 'POSTGRESQL', ...link },
    send: (body) => data(api.POST('/api/databases', { body })),
    onSaved: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['databases'] })
      if (server?.status === 'idle') void client.invalidateQueries({ queryKey: healthQuery.queryKey })
      if (!link) await navigate({ to: '/databases/$databaseId', params: { databaseId: id } })
      else onClose()
    },
    fieldOfCode: { DATABASE_NAME_EXISTS: 'name' }
  })
  const { form } = contractForm
  const server = health?.parts[form.values.type === 'MYSQL' ? 'mysql' : 'postgresql']
  return (
    <FormDialog of={contractForm} title={t('add')} submitText={t('add')} onClose={onClose}>
      <TextInput
        label={t('name')}
        description={t('name.hint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label={t('column.engine')}
        description={server?.status === 'idle' ? t('engine.idle') : undefined}
        data={[
          { value: 'POSTGRESQL', label: t('engine.POSTGRESQL') },
          { value: 'MYSQL', label: t('engine.MYSQL') }
        ]}
        {...form.getInputProps('type')}
      />
    </FormDialog>
  )
}
