import { notifications } from '@mantine/notifications'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createElement, useEffect, useRef, useState } from 'react'
import { useMessages } from '../i18n/i18n.tsx'
import { focusAction } from './focus-row.ts'
import { ToastAction } from './toast-action.tsx'
import { uiMessages } from './ui.messages.ts'
import { isUndoKey } from './undo-key.ts'
import { waitingActions } from './waiting-actions.ts'

const undoMs = 6_000

interface DelayedAction<Item> {
  run(item: Item): Promise<unknown>
  invalidates: readonly QueryKey[]
  doneMessage(item: Item): string
}

interface Waiting {
  sendNow(): Promise<void>
  undo(): void
}

/**
 * An action that can be undone for a few seconds: the row disappears at once, the request follows. Leaving the page
 * sends pending ones. Ctrl+Z undoes the latest, because the toast may be far away by keyboard. `pending` holds the ids
 * to hide.
 */
export function useDelayedAction<Item extends { id: string }>({
  run,
  invalidates,
  doneMessage: message
}: DelayedAction<Item>) {
  const t = useMessages(uiMessages)
  const client = useQueryClient()
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set())
  const waiting = useRef(new Map<string, Waiting>())
  const show = (id: string, isShown: boolean) =>
    setPending((before) => new Set(isShown ? [...before].filter((each) => each !== id) : [...before, id]))
  const send = async (item: Item) => {
    if (!waiting.current.delete(item.id)) return
    notifications.hide(item.id)
    try {
      await run(item)
    } catch (error) {
      notifications.show({ color: 'red', autoClose: false, message: (error as Error).message, role: 'alert' })
    }
    await Promise.all(invalidates.map((queryKey) => client.invalidateQueries({ queryKey })))
    show(item.id, true)
  }
  const start = (item: Item) => {
    if (waiting.current.has(item.id)) return
    const timer = setTimeout(() => void send(item), undoMs)
    const sendNow = () => {
      clearTimeout(timer)
      return send(item)
    }
    const undo = () => {
      clearTimeout(timer)
      waiting.current.delete(item.id)
      show(item.id, true)
      notifications.hide(item.id)
      focusAction('delete', item.id)
    }
    waiting.current.set(item.id, { sendNow, undo })
    show(item.id, false)
    notifications.show({
      id: item.id,
      autoClose: false,
      role: 'status',
      message: createElement(ToastAction, { text: message(item), action: t('undo'), keys: 'Control+Z', onAction: undo })
    })
  }
  useEffect(() => {
    const all = waiting.current
    const flush = () => Promise.all([...all.values()].map(({ sendNow }) => sendNow()))
    const leave = () => void flush()
    const onKeyDown = (event: KeyboardEvent) => {
      const latest = [...all.values()].at(-1)
      if (latest === undefined || !isUndoKey(event)) return
      event.preventDefault()
      latest.undo()
    }
    addEventListener('pagehide', leave)
    addEventListener('keydown', onKeyDown)
    waitingActions.add(flush)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('keydown', onKeyDown)
      waitingActions.delete(flush)
      leave()
    }
  }, [])
  return { pending, start }
}
