import { Button, Modal, Stack } from '@mantine/core'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { apiTokenMessages } from './api-tokens.messages.ts'

/** Shown once, so only the button closes it. */
export function NewToken({ token, onClose }: { token: Schema<'CreatedApiToken'>; onClose(): void }) {
  const t = useMessages(apiTokenMessages)
  return (
    <Modal
      opened
      onClose={onClose}
      title={token.name}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Notice tone="warn">{t('once')}</Notice>
        <CopyField label={t('token')} value={token.token} />
        <CopyField
          label={t('try')}
          value={`curl -H 'Authorization: Bearer ${token.token}' ${location.origin}/api/auth/me`}
        />
        <Button onClick={onClose} data-autofocus>
          {t('kept')}
        </Button>
      </Stack>
    </Modal>
  )
}
