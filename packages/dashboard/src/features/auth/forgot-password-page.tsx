import { Button, Stack, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useOnce } from '../../ui/use-once.ts'
import { AuthCard } from './auth-card.tsx'
import { AuthError } from './auth-error.tsx'
import { authMessages } from './auth.messages.ts'

export function ForgotPasswordPage() {
  const t = useMessages(authMessages)
  const [email, setEmail] = useState('')
  const ask = useOnce({ mutationFn: () => data(api.POST('/api/auth/forgot-password', { body: { email } })) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate()
  }
  return (
    <AuthCard title={t('reset.title')} hint={t('reset.hint')} links={<Link to="/login">{t('toSignIn')}</Link>}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <AuthError error={ask.error} />
          {ask.isSuccess && <Notice tone="ok">{t('reset.sent')}</Notice>}
          <TextInput
            label={t('email')}
            type="email"
            size="md"
            autoComplete="username"
            autoFocus
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <Button type="submit" size="md" fullWidth loading={ask.isPending}>
            {t('reset.send')}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  )
}
