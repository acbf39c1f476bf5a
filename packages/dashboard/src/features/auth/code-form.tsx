import { Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useOnce } from '../../ui/use-once.ts'
import { AuthError } from './auth-error.tsx'
import { authMessages } from './auth.messages.ts'

interface CodeFormProps {
  challenge: string
  onSignedIn(user: Schema<'User'>): void
  onAgain(): void
}

export function CodeForm({ challenge, onSignedIn, onAgain }: CodeFormProps) {
  const t = useMessages(authMessages)
  const [code, setCode] = useState('')
  const verify = useOnce({
    mutationFn: () => data(api.POST('/api/auth/2fa/challenge', { body: { challengeToken: challenge, code } })),
    onSuccess: onSignedIn
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    verify.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <AuthError error={verify.error} />
        <TextInput
          label={t('code')}
          size="md"
          autoComplete="one-time-code"
          inputMode="text"
          autoFocus
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Button type="submit" size="md" fullWidth loading={verify.isPending}>
          {t('signIn')}
        </Button>
        <Button variant="subtle" onClick={onAgain}>
          {t('code.again')}
        </Button>
      </Stack>
    </form>
  )
}
