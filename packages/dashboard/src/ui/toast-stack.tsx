import './toast-stack.css'
import { MantineThemeProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useMessages } from '../i18n/i18n.tsx'
import { uiMessages } from './ui.messages.ts'

/**
 * Sets the accessible name of the close button in the user’s language, which callers of notifications.show do not know.
 */
export function ToastStack() {
  const t = useMessages(uiMessages)
  const close = t('close')
  const theme = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': close } } } } }),
    [close]
  )
  return (
    <MantineThemeProvider theme={theme}>
      <Notifications position="bottom-right" limit={4} />
    </MantineThemeProvider>
  )
}
