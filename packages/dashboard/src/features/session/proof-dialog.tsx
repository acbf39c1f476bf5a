import { Button, Modal, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useOnce } from '../../ui/use-once.ts'
import { sessionMessages } from './session.messages.ts'

interface ProofDialogProps {
  me: Schema<'User'>
  onDone(isProved: boolean): void
}

/** Confirms the password before actions that outlive the session, so that an unattended screen is not enough. */
export function ProofDialog({ me, onDone }: ProofDialogProps) {
  const t = useMessages(sessionMessages)
  const ui = useMessages(uiMessages)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const confirm = useOnce({
    mutationFn: () => data(api.POST('/api/auth/confirm', { body: { password, ...(me.totpEnabled && { code }) } })),
    onSuccess: () => onDone(true)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation() // The page's form may be an ancestor in the React tree.
    confirm.mutate()
  }
  return (
    <Modal
      opened
      onClose={() => onDone(false)}
      title={t('proof')}
      closeOnClickOutside={password === ''}
      zIndex={800}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <p>{t('proof.hint')}</p>
          {confirm.error && <Notice tone="bad">{confirm.error.message}</Notice>}
          <PasswordInput
            label={t('password', { email: me.email })}
            autoComplete="current-password"
            data-autofocus
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': ui('password.show') }}
          />
          {me.totpEnabled && (
            <TextInput
              label={t('code')}
              autoComplete="one-time-code"
              value={code}
              onChange={({ currentTarget }) => setCode(currentTarget.value)}
            />
          )}
          <Button type="submit" loading={confirm.isPending}>
            {t('proof.go')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
