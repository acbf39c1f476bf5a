import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { VerifyTwoFactorSetup } from '@panel/contract/two-factor'
import { useQueryClient } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import classes from './security.module.css'
import { securityMessages } from './security.messages.ts'

interface SetUpProps {
  setUp: Schema<'TwoFactorSetup'>
  onDone(codes: Schema<'RecoveryCodes'>): void
  onClose(): void
}

export function SetUpTwoFactor({ setUp, onDone, onClose }: SetUpProps) {
  const t = useMessages(securityMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: VerifyTwoFactorSetup,
    initialValues: { code: '' },
    send: ({ code }) => data(api.POST('/api/auth/2fa/verify-setup', { body: { code } })),
    onSaved: (codes) => {
      onDone(codes)
      for (const queryKey of [['me'], ['sessions']]) void client.invalidateQueries({ queryKey })
    },
    fieldOfCode: { '2FA_INVALID_CODE': 'code' }
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('2fa.setUp')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <p className={classes.text}>{t('2fa.scan')}</p>
          <img src={setUp.qrDataUrl} alt={t('2fa.qr')} width={196} height={196} className={classes.qr} />
          <CopyField label={t('2fa.key')} value={setUp.manualKey} />
          <TextInput
            label={t('2fa.code')}
            description={t('2fa.code.hint')}
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
            {...form.getInputProps('code')}
          />
          <Button type="submit" loading={isPending}>
            {t('2fa.switchOn')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
