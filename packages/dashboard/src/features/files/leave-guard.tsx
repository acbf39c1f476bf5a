import { Button, Group, Modal, Stack } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { uiMessages } from '../../ui/ui.messages.ts'
import { fileMessages } from './files.messages.ts'

export function LeaveGuard({ isOn, name }: { isOn: boolean; name: string }) {
  const t = useMessages(fileMessages)
  const ui = useMessages(uiMessages)
  const blocker = useBlocker({ shouldBlockFn: () => isOn, enableBeforeUnload: () => isOn, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return (
    <Modal opened onClose={blocker.reset} title={t('leave.title')} closeButtonProps={{ 'aria-label': ui('close') }}>
      <Stack gap="md">
        <div>{t('leave.hint', { name: shownName(name) })}</div>
        <Group justify="flex-end">
          <Button variant="default" onClick={blocker.reset} data-autofocus>
            {t('leave.stay')}
          </Button>
          <Button color="red" onClick={blocker.proceed}>
            {t('leave.go')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
