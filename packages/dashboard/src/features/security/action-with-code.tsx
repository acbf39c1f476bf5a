import { PasswordInput, TextInput } from '@mantine/core'
import { DisableTwoFactor } from '@panel/contract/two-factor'
import { useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { securityMessages } from './security.messages.ts'

type ActionWithCodeProps = { onClose(): void } & (
  | { action: 'disable'; onDone(): void }
  | { action: 'renew'; onDone(codes: Schema<'RecoveryCodes'>): void }
)

export function ActionWithCode(props: ActionWithCodeProps) {
  const { action, onClose } = props
  const t = useMessages(securityMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const contractForm = useContractForm({
    schema: DisableTwoFactor,
    initialValues: { password: '', codeOrRecovery: '' },
    send: async (body): Promise<void> => {
      if (props.action === 'renew') props.onDone(await data(api.POST('/api/auth/2fa/recovery-codes', { body })))
      else await data(api.POST('/api/auth/2fa/disable', { body }))
    },
    onSaved: () => {
      if (props.action === 'disable') props.onDone()
      for (const queryKey of [['me'], ['sessions']]) void client.invalidateQueries({ queryKey })
    },
    fieldOfCode: { INVALID_CREDENTIALS: 'password', '2FA_INVALID_CODE': 'codeOrRecovery' }
  })
  const { form } = contractForm
  return (
    <FormDialog
      of={contractForm}
      title={t(action === 'disable' ? '2fa.disable' : 'codes.renew')}
      submitText={t(action === 'disable' ? '2fa.disable' : 'codes.renew')}
      submitColor={action === 'disable' ? 'red' : 'brand'}
      onClose={onClose}
    >
      <p>{t(action === 'disable' ? '2fa.disable.hint' : 'codes.renew.hint')}</p>
      <PasswordInput
        label={t('password.current')}
        autoComplete="current-password"
        data-autofocus
        visibilityToggleButtonProps={{ 'aria-label': ui('password.show') }}
        {...form.getInputProps('password')}
      />
      <TextInput
        label={t('2fa.codeOrRecovery')}
        autoComplete="one-time-code"
        {...form.getInputProps('codeOrRecovery')}
      />
    </FormDialog>
  )
}
