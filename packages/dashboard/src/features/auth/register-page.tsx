import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { Register } from '@panel/contract/auth'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { AuthCard } from './auth-card.tsx'
import { authConfigQuery } from './auth-config.queries.ts'
import { authMessages } from './auth.messages.ts'
import { useFragment } from './fragment.ts'
import { useSignedIn } from './use-signed-in.ts'

export function RegisterPage() {
  const t = useMessages(authMessages)
  const { data: config } = useQuery(authConfigQuery)
  const isClosed = config?.allowRegistration === false
  return (
    <AuthCard title={t('register.title')} hint={t('register.hint')} links={<Link to="/login">{t('toSignIn')}</Link>}>
      {isClosed ? <Notice tone="warn">{t('register.closed')}</Notice> : <AccountForm />}
    </AuthCard>
  )
}

export function SetupPage() {
  const t = useMessages(authMessages)
  const setupToken = useFragment()
  return (
    <AuthCard title={t('register.first')} hint={t('register.first.hint')}>
      <AccountForm {...(setupToken === '' ? {} : { setupToken })} />
    </AuthCard>
  )
}

function AccountForm({ setupToken }: { setupToken?: string }) {
  const t = useMessages(authMessages)
  const ui = useMessages(uiMessages)
  const signedIn = useSignedIn(undefined)
  const { form, submit, isPending, failure } = useContractForm({
    schema: Register,
    initialValues: { name: '', email: '', password: '', confirmPassword: '', ...(setupToken && { setupToken }) },
    send: (body) => data(api.POST('/api/auth/register', { body })),
    // Only the first account registers as ADMIN.
    onSaved: (user) => signedIn(user, user.role === 'ADMIN' ? '/welcome' : undefined),
    fieldOfCode: { EMAIL_EXISTS: 'email' }
  })
  const eye = { visibilityToggleButtonProps: { 'aria-label': ui('password.show') } }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput label={t('name')} size="md" autoComplete="name" autoFocus {...form.getInputProps('name')} />
        <TextInput label={t('email')} type="email" size="md" autoComplete="username" {...form.getInputProps('email')} />
        <PasswordInput
          label={t('password')}
          description={t('passwordHint')}
          size="md"
          autoComplete="new-password"
          {...eye}
          {...form.getInputProps('password')}
        />
        <PasswordInput
          label={t('confirmPassword')}
          size="md"
          autoComplete="new-password"
          {...eye}
          {...form.getInputProps('confirmPassword')}
        />
        <Button type="submit" size="md" fullWidth loading={isPending}>
          {t('register.submit')}
        </Button>
      </Stack>
    </form>
  )
}
