import { Button, Modal, Stack } from '@mantine/core'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { notificationMessages } from './notifications.messages.ts'

/** Closes only with the button, because the secret is shown once. */
export function NewSecret({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useMessages(notificationMessages)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('secret')}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Notice tone="warn">{t('secret.once')}</Notice>
        <CopyField label={t('secret')} value={secret} />
        <Button onClick={onClose} data-autofocus>
          {t('secret.kept')}
        </Button>
      </Stack>
    </Modal>
  )
}
