import { Button, Modal, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import { CreateMailbox } from '@panel/contract/mailboxes'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import classes from './mailboxes.module.css'
import { mailboxMessages } from './mailboxes.messages.ts'
import { newPassword } from './new-password.ts'
import { PasswordField } from './password-field.tsx'

interface AddMailboxProps {
  domains: readonly { id: string; hostname: string }[]
  domainId: string | undefined
  onClose(): void
}

/** Shows the password before it opens the mailbox: it cannot be read later. */
export function AddMailbox({ domains, domainId, onClose }: AddMailboxProps) {
  const t = useMessages(mailboxMessages)
  const ui = useMessages(uiMessages)
  const [made, setMade] = useState<Made>()
  const [isTouched, setTouched] = useState(false)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(made ? 'added' : 'add')}
      closeOnClickOutside={!isTouched}
      closeOnEscape={!made}
      withCloseButton={!made}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      {made ? (
        <Keep made={made} />
      ) : (
        <div onInput={() => setTouched(true)}>
          <Form domains={domains} domainId={domainId} onMade={setMade} />
        </div>
      )}
    </Modal>
  )
}

interface Made {
  id: string
  address: string
  password: string
}

type FormProps = Omit<AddMailboxProps, 'onClose'> & { onMade(made: Made): void }

function Form({ domains, domainId, onMade }: FormProps) {
  const t = useMessages(mailboxMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateMailbox,
    initialValues: {
      localPart: '',
      domainId: domains.find(({ id }) => id === domainId)?.id ?? domains[0]!.id,
      password: newPassword(),
      quota: 1024
    },
    send: async (body) => ({ ...(await data(api.POST('/api/mailboxes', { body }))), password: body.password }),
    onSaved: (made) => {
      onMade(made)
      void client.invalidateQueries({ queryKey: ['mailboxes'] })
    },
    fieldOfCode: { MAILBOX_EXISTS: 'localPart', DOMAIN_NOT_ACTIVE: 'domainId' }
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
        <PasswordField
          {...form.getInputProps('password')}
          key={form.key('password')}
          onAnother={() => form.setFieldValue('password', newPassword())}
        />
        <NumberInput
          label={t('quota')}
          description={t('quota.hint')}
          min={1}
          allowDecimal={false}
          suffix=" MB"
          {...form.getInputProps('quota')}
        />
        <Button type="submit" loading={isPending}>
          {t('add')}
        </Button>
      </Stack>
    </form>
  )
}

function Keep({ made: { id, address, password } }: { made: Made }) {
  const t = useMessages(mailboxMessages)
  const navigate = useNavigate()
  return (
    <div className={classes.gap}>
      <Notice tone="warn">{t('keep')}</Notice>
      <CopyField label={t('column.address')} value={address} />
      <CopyField label={t('password')} value={password} />
      <Button onClick={() => void navigate({ to: '/mail/$mailboxId', params: { mailboxId: id } })}>{t('kept')}</Button>
    </div>
  )
}
