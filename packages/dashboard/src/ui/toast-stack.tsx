import './toast-stack.css'
import { MantineThemeProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useMessages } from '../i18n/i18n.tsx'
import { uiMessages } from './ui.messages.ts'

/** What was done on this page, or failed. Whoever shows one cannot name the button that closes it: it is named here, in the reader's language. */
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
