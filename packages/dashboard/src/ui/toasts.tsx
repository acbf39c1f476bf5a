import { notificationsStore } from '@mantine/notifications'
import { type ComponentType, useEffect, useState } from 'react'
import { afterPicture } from './after-picture.ts'

/** Nothing until somebody presses something: all that is said comes of that, and by then the code that says it is there, network or not. */
export function Toasts() {
  const [Stack, setStack] = useState<ComponentType>()
  useEffect(() => {
    if (Stack) return undefined
    // What does not come with this press does with the next one.
    const load = () =>
      void import('./toast-stack.tsx').then(({ ToastStack }) => setStack(() => ToastStack)).catch(() => undefined)
    const onPress = () => afterPicture(load)
    const leave = notificationsStore.subscribe(load)
    addEventListener('pointerdown', onPress)
    addEventListener('keydown', onPress)
    return () => {
      leave()
      removeEventListener('pointerdown', onPress)
      removeEventListener('keydown', onPress)
    }
  }, [Stack])
  return Stack ? <Stack /> : null
}
