import { notificationsStore } from '@mantine/notifications'
import { type ComponentType, useEffect, useState } from 'react'
import { afterPicture } from './after-picture.ts'

const laterMs = 10_000

/**
 * Nothing until somebody presses something, as all that is said comes of that; or a while later, so that the code that says what failed is
 * there before the network goes.
 */
export function Toasts() {
  const [Stack, setStack] = useState<ComponentType>()
  useEffect(() => {
    if (Stack) return undefined
    // What does not come with this press does with the next one.
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
