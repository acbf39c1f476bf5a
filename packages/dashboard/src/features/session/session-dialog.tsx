import { Button, Modal, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useOnce } from '../../ui/use-once.ts'
import { meQuery } from '../auth/me.queries.ts'
import { sessionMessages } from './session.messages.ts'

interface SessionDialogProps {
  me: Schema<'User'>
  onDone(isSignedIn: boolean): void
}

/** Opens over the current page, which stays mounted and keeps its form values. */
export function SessionDialog({ me, onDone }: SessionDialogProps) {
  const t = useMessages(sessionMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [challenge, setChallenge] = useState<string>()
  const signIn = useOnce({
    mutationFn: async () =>
      challenge === undefined
        ? data(api.POST('/api/auth/login', { body: { email: me.email, password } }))
        : data(api.POST('/api/auth/2fa/challenge', { body: { challengeToken: challenge, code } })),
    onSuccess: (answer) => {
      if ('challengeToken' in answer) return setChallenge(answer.challengeToken)
      client.setQueryData(meQuery.queryKey, answer)
      onDone(true)
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation() // The page's form may be an ancestor in the React tree.
    signIn.mutate()
  }
  return (
    <Modal
      opened
      onClose={() => onDone(false)}
      title={t('title')}
      closeOnClickOutside={false}
      zIndex={900}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <p>{t('hint')}</p>
          {signIn.error && <Notice tone="bad">{signIn.error.message}</Notice>}
          <input type="email" autoComplete="username" value={me.email} readOnly hidden />
          {challenge === undefined ? (
            <PasswordInput
              key="password"
              label={t('password', { email: me.email })}
              autoComplete="current-password"
              data-autofocus
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': ui('password.show') }}
            />
          ) : (
            <TextInput
              key="code"
              label={t('code')}
              autoComplete="one-time-code"
              autoFocus
              value={code}
              onChange={({ currentTarget }) => setCode(currentTarget.value)}
            />
          )}
          <Button type="submit" loading={signIn.isPending}>
            {t('signIn')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
