import { notificationsStore } from '@mantine/notifications'
import { type ComponentType, useEffect, useState } from 'react'
import { afterPicture } from './after-picture.ts'

const laterMs = 10_000

/**
 * Loads the notifications code with the first interaction, or after a delay, so that it is available to report a lost
 * network.
 */
export function Toasts() {
  const [Stack, setStack] = useState<ComponentType>()
  useEffect(() => {
    if (Stack) return undefined
    // If loading fails, the next interaction tries again.
    const load = () =>
      void import('./toast-stack.tsx').then(({ ToastStack }) => setStack(() => ToastStack)).catch(() => undefined)
    const onPress = () => afterPicture(load)
    const leave = notificationsStore.subscribe(load)
    const later = setTimeout(load, laterMs)
    addEventListener('pointerdown', onPress)
    addEventListener('keydown', onPress)
    return () => {
      leave()
      clearTimeout(later)
      removeEventListener('pointerdown', onPress)
      removeEventListener('keydown', onPress)
    }
  }, [Stack])
  return Stack ? <Stack /> : null
}
