import { Button, PasswordInput, Stack } from '@mantine/core'
import { ResetPassword } from '@panel/contract/accounts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { AuthCard } from './auth-card.tsx'
import { authMessages } from './auth.messages.ts'
import { useFragment } from './fragment.ts'

export function ResetPasswordPage() {
  const t = useMessages(authMessages)
  const token = new URLSearchParams(useFragment()).get('token')
  const [isDone, setDone] = useState(false)
  return (
    <AuthCard title={t('choose.title')} hint={t('choose.hint')} links={<Link to="/login">{t('toSignIn')}</Link>}>
      {isDone && <Notice tone="ok">{t('choose.done')}</Notice>}
      {!isDone && token === null && <Notice tone="bad">{t('choose.noToken')}</Notice>}
      {!isDone && token !== null && <NewPasswordForm token={token} onSaved={() => setDone(true)} />}
    </AuthCard>
  )
}

function NewPasswordForm({ token, onSaved }: { token: string; onSaved(): void }) {
  const t = useMessages(authMessages)
  const ui = useMessages(uiMessages)
  const { form, submit, isPending, failure } = useContractForm({
    schema: ResetPassword,
    initialValues: { token, newPassword: '', confirmNewPassword: '' },
    send: (body) => data(api.POST('/api/auth/reset-password', { body })),
    onSaved
  })
  const eye = { visibilityToggleButtonProps: { 'aria-label': ui('password.show') } }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <PasswordInput
          label={t('password')}
          description={t('passwordHint')}
          size="md"
          autoComplete="new-password"
          autoFocus
          {...eye}
          {...form.getInputProps('newPassword')}
        />
        <PasswordInput
          label={t('confirmPassword')}
          size="md"
          autoComplete="new-password"
          {...eye}
          {...form.getInputProps('confirmNewPassword')}
        />
        <Button type="submit" size="md" fullWidth loading={isPending}>
          {t('choose.save')}
        </Button>
      </Stack>
    </form>
  )
}
