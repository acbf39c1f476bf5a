import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { uiMessages } from './ui.messages.ts'
import { useMessages } from '../i18n/i18n.tsx'

interface ConfirmDialogProps {
  title: string
  children: ReactNode
  action: string
  isPending: boolean
  onConfirm(): void
  onClose(): void
}

/** For an action that can be undone but not without consequences. */
export function ConfirmDialog({ title, children, action, isPending, onConfirm, onClose }: ConfirmDialogProps) {
  const t = useMessages(uiMessages)
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap="md">
        <div>{children}</div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel')}
          </Button>
          <Button loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
