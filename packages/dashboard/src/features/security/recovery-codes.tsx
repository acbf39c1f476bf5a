import { Button, Group, Modal, Stack } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { saveText } from '../../ui/save-text.ts'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useCopied } from '../../ui/use-copied.ts'
import classes from './security.module.css'
import { securityMessages } from './security.messages.ts'

/** Closes only with the button, because the codes are shown once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const t = useMessages(securityMessages)
  const ui = useMessages(uiMessages)
  const { isCopied, copy } = useCopied()
  const text = codes.join('\n')
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('codes')}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Notice tone="warn">{t('codes.once')}</Notice>
        <ul className={classes.codes} dir="ltr" aria-label={t('codes')}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={() => copy(text)}
          >
            {ui(isCopied ? 'copied' : 'copy')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => saveText('recovery-codes.txt', `${location.host}\n\n${text}\n`)}
          >
            {t('codes.download')}
          </Button>
        </Group>
        <Button onClick={onClose} data-autofocus>
          {t('codes.kept')}
        </Button>
      </Stack>
    </Modal>
  )
}
