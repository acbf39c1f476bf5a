import { NativeSelect, PasswordInput, Radio, Stack, TextInput } from '@mantine/core'
import { CreateApiToken, tokenScopes } from '@panel/contract/api-tokens'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { meQuery } from '../auth/me.queries.ts'
import { apiTokenMessages } from './api-tokens.messages.ts'

const lifetimesDays = [7, 30, 90, 365]

interface AddTokenProps {
  onDone(token: Schema<'CreatedApiToken'>): void
  onClose(): void
}

/** Requires the password, and a two-factor code: a token outlives the session. */
export function AddToken({ onDone, onClose }: AddTokenProps) {
  const t = useMessages(apiTokenMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const contractForm = useContractForm({
    schema: CreateApiToken,
    initialValues: { name: '', scope: 'read', expiresInDays: 90, password: '', ...(me?.totpEnabled && { code: '' }) },
    send: (body) => data(api.POST('/api/auth/tokens', { body })),
    onSaved: (token) => {
      onDone(token)
      void client.invalidateQueries({ queryKey: ['api-tokens'] })
    },
    fieldOfCode: { INVALID_CREDENTIALS: 'password', '2FA_INVALID_CODE': 'code' }
  })
  const { form } = contractForm
  const expires = form.getInputProps('expiresInDays')
  return (
    <FormDialog of={contractForm} title={t('add')} submitText={t('add')} onClose={onClose}>
      <TextInput
        label={t('name')}
        description={t('name.hint')}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Radio.Group label={t('scope')} {...form.getInputProps('scope')}>
        <Stack gap="xs" mt="xs">
          {tokenScopes.map((scope) => (
            <Radio key={scope} value={scope} label={t(`scope.${scope}`)} description={t(`scope.${scope}.hint`)} />
          ))}
        </Stack>
      </Radio.Group>
      <NativeSelect
        label={t('lifetime')}
        data={lifetimesDays.map((days) => ({ value: String(days), label: t('days', { count: days }) }))}
        {...expires}
        onChange={({ currentTarget }) => form.setFieldValue('expiresInDays', Number(currentTarget.value))}
      />
      <PasswordInput
        label={t('password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': ui('password.show') }}
        {...form.getInputProps('password')}
      />
      {me?.totpEnabled && <TextInput label={t('code')} autoComplete="one-time-code" {...form.getInputProps('code')} />}
    </FormDialog>
  )
}
