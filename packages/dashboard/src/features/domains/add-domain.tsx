import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { CreateDomain } from '@panel/contract/domains'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { domainMessages } from './domains.messages.ts'

interface AddDomainProps {
  projectId?: string
  parent?: { id: string; hostname: string }
  onClose(): void
}

export function AddDomain({ projectId, parent, onClose }: AddDomainProps) {
  const t = useMessages(domainMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const { form, submit, isPending, failure } = useContractForm({
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
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('add')}
      closeOnClickOutside={!form.isDirty()}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
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
          <Button type="submit" loading={isPending}>
            {t('add')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
