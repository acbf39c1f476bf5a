import { TextInput } from '@mantine/core'
import { CreateDomain } from '@panel/contract/domains'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { domainMessages } from './domains.messages.ts'

interface AddDomainProps {
  projectId?: string
  parent?: { id: string; hostname: string }
  onClose(): void
}

export function AddDomain({ projectId, parent, onClose }: AddDomainProps) {
  const t = useMessages(domainMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const contractForm = useContractForm({
    schema: CreateDomain,
    initialValues: {
      hostname: '',
      ...(parent && { parentId: parent.id }),
      ...(projectId !== undefined && { projectId, pathPrefix: null })
    },
    send: (body) => data(api.POST('/api/domains', { body })),
    onSaved: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['domains', 'list'] })
      await navigate({ to: '/domains/$domainId', params: { domainId: id } })
    },
    fieldOfCode: { HOSTNAME_EXISTS: 'hostname' }
  })
  const { form } = contractForm
  return (
    <FormDialog of={contractForm} title={t('add')} submitText={t('add')} onClose={onClose}>
      <TextInput
        label={t('hostname')}
        description={parent ? t('hostname.below', { hostname: parent.hostname }) : t('hostname.hint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('hostname')}
      />
      {projectId !== undefined && (
        <TextInput
          label={t('path')}
          description={t('path.hint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('pathPrefix')}
          defaultValue=""
          onChange={({ target }) => form.setFieldValue('pathPrefix', target.value || null)}
        />
      )}
    </FormDialog>
  )
}
