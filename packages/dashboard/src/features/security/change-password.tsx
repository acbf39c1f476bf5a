import { Button, Checkbox, PasswordInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ChangePassword } from '@panel/contract/auth'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { meQuery } from '../auth/me.queries.ts'
import { securityMessages } from './security.messages.ts'

export function ChangePasswordSection() {
  const t = useMessages(securityMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const { form, submit, isPending, failure } = useContractForm({
    schema: ChangePassword,
    initialValues: { currentPassword: '', newPassword: '', confirmNewPassword: '', revokeTokens: true },
    send: (body) => data(api.POST('/api/auth/change-password', { body })),
    onSaved: ({ message }) => {
      notifications.show({ message, role: 'status' })
      form.reset()
      for (const queryKey of [['sessions'], ['api-tokens']]) void client.invalidateQueries({ queryKey })
    },
    fieldOfCode: { INVALID_CREDENTIALS: 'currentPassword' }
  })
  const eye = { visibilityToggleButtonProps: { 'aria-label': ui('password.show') } }
  return (
    <Section title={t('password')} hint={t('password.hint')}>
      <form onSubmit={submit} noValidate className={formClasses.form}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          {/* Lets password managers match the account. */}
          <input type="email" autoComplete="username" value={me?.email ?? ''} readOnly hidden />
          <PasswordInput
            label={t('password.current')}
            autoComplete="current-password"
            {...eye}
            key={form.key('currentPassword')}
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label={t('password.new')}
            description={t('password.rule')}
            autoComplete="new-password"
            {...eye}
            key={form.key('newPassword')}
            {...form.getInputProps('newPassword')}
          />
          <PasswordInput
            label={t('password.again')}
            autoComplete="new-password"
            {...eye}
            key={form.key('confirmNewPassword')}
            {...form.getInputProps('confirmNewPassword')}
          />
          <Checkbox
            label={t('password.tokens')}
            description={t('password.tokens.hint')}
            key={form.key('revokeTokens')}
            {...form.getInputProps('revokeTokens', { type: 'checkbox' })}
          />
          <div>
            <Button type="submit" loading={isPending}>
              {t('password.change')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}
