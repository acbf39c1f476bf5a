import { Button, Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { CreateMailAlias, UpdateMailAlias } from '@panel/contract/mailboxes'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { aliasMessages } from './aliases.messages.ts'

interface Address {
  domainId: string
  localPart: string
  address: string
}

type AliasFormProps = (
  | { alias: Schema<'MailAlias'> }
  | { of: Address }
  | { domains: readonly { id: string; hostname: string }[]; domainId: string | undefined }
) & { onClose(): void }

const lines = z.string().transform((text) => text.split(/[\s,;]+/).filter((line) => line !== ''))
const Targets = z.object({ targets: lines }).pipe(UpdateMailAlias)
const Alias = z.object({ domainId: z.string(), localPart: z.string(), targets: lines }).pipe(CreateMailAlias)

export function AliasForm({ onClose, ...of }: AliasFormProps) {
  const t = useMessages(aliasMessages)
  const ui = useMessages(uiMessages)
  const title = 'alias' in of ? of.alias.address : 'of' in of ? of.of.address : t('add')
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      {'domains' in of ? (
        <NewForm {...of} onClose={onClose} />
      ) : (
        <TargetsForm
          alias={'alias' in of ? of.alias : undefined}
          of={'of' in of ? of.of : of.alias}
          onClose={onClose}
        />
      )}
    </Modal>
  )
}

interface TargetsFormProps {
  alias: Schema<'MailAlias'> | undefined
  of: Address
  onClose(): void
}

function TargetsForm({ alias, of: { domainId, localPart }, onClose }: TargetsFormProps) {
  const t = useMessages(aliasMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: Targets,
    initialValues: { targets: alias?.targets.join('\n') ?? '' },
    send: (body) =>
      alias
        ? data(api.PATCH('/api/mail/aliases/{id}', { params: { path: { id: alias.id } }, body }))
        : data(api.POST('/api/mail/aliases', { body: { ...body, domainId, localPart } })),
    onSaved: () => {
      onClose()
      void client.invalidateQueries({ queryKey: ['mailboxes', 'aliases'] })
    },
    fieldOfCode: { MAIL_ALIAS_LOOP: 'targets' }
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <Textarea
          label={t('targets')}
          description={t('targets.hint')}
          rows={4}
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('targets')}
        />
        <Button type="submit" loading={isPending}>
          {t('save')}
        </Button>
      </Stack>
    </form>
  )
}

type NewFormProps = Extract<AliasFormProps, { domains: unknown }>

function NewForm({ domains, domainId, onClose }: NewFormProps) {
  const t = useMessages(aliasMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: Alias,
    initialValues: { localPart: '', domainId: domainId ?? domains[0]!.id, targets: '' },
    send: (body) => data(api.POST('/api/mail/aliases', { body })),
    onSaved: () => {
      onClose()
      void client.invalidateQueries({ queryKey: ['mailboxes', 'aliases'] })
    },
    fieldOfCode: { MAIL_ALIAS_EXISTS: 'localPart', MAIL_ALIAS_LOOP: 'targets', DOMAIN_NOT_ACTIVE: 'domainId' }
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput
          label={t('localPart')}
          description={t('localPart.hint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('localPart')}
        />
        <NativeSelect
          label={t('domain')}
          data={domains.map(({ id, hostname }) => ({ value: id, label: hostname }))}
          {...form.getInputProps('domainId')}
        />
        <Textarea
          label={t('targets')}
          description={t('targets.hint')}
          rows={3}
          spellCheck={false}
          {...form.getInputProps('targets')}
        />
        <Button type="submit" loading={isPending}>
          {t('add')}
        </Button>
      </Stack>
    </form>
  )
}
