import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useOnce } from '../../ui/use-once.ts'
import { AuthCard } from './auth-card.tsx'
import { authConfigQuery } from './auth-config.queries.ts'
import { AuthError } from './auth-error.tsx'
import { authMessages } from './auth.messages.ts'
import { CodeForm } from './code-form.tsx'
import { useSignedIn } from './use-signed-in.ts'

export function LoginPage() {
  const t = useMessages(authMessages)
  const { next } = useSearch({ from: '/login' })
  const [challenge, setChallenge] = useState<string>()
  const onSignedIn = useSignedIn(next)
  if (challenge !== undefined)
    return (
      <AuthCard title={t('code.title')} hint={t('code.hint')}>
        <CodeForm challenge={challenge} onSignedIn={onSignedIn} onAgain={() => setChallenge(undefined)} />
      </AuthCard>
    )
  return (
    <AuthCard title={t('signIn')} hint={t('signIn.hint')} links={<Links />}>
      <PasswordForm onChallenge={setChallenge} onSignedIn={onSignedIn} />
    </AuthCard>
  )
}

function Links() {
  const t = useMessages(authMessages)
  const { data: config } = useQuery(authConfigQuery)
  return (
    <>
      <Link to="/forgot-password">{t('forgot')}</Link>
      {config?.allowRegistration && <Link to="/register">{t('register')}</Link>}
    </>
  )
}

interface PasswordFormProps {
  onChallenge(token: string): void
  onSignedIn: ReturnType<typeof useSignedIn>
}

// No schema: it would put zod on the first page, and the server checks anyway.
function PasswordForm({ onChallenge, onSignedIn }: PasswordFormProps) {
  const t = useMessages(authMessages)
  const ui = useMessages(uiMessages)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useOnce({
    mutationFn: () => data(api.POST('/api/auth/login', { body: { email, password } })),
    onSuccess: (answer) => ('challengeToken' in answer ? onChallenge(answer.challengeToken) : onSignedIn(answer))
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <AuthError error={signIn.error} />
        <TextInput
          label={t('email')}
          type="email"
          size="md"
          autoComplete="username"
          autoFocus
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <PasswordInput
          label={t('password')}
          size="md"
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': ui('password.show') }}
        />
        <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
          {t('signIn')}
        </Button>
      </Stack>
    </form>
  )
}
