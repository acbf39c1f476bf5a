import { notifications } from '@mantine/notifications'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createElement, useEffect, useRef, useState } from 'react'
import { useMessages } from '../i18n/i18n.tsx'
import { focusAct } from './focus-row.ts'
import { ToastAct } from './toast-act.tsx'
import { uiMessages } from './ui.messages.ts'
import { isUndoKey } from './undo-key.ts'
import { waitingActs } from './waiting-acts.ts'

const undoMs = 6_000

interface DelayedAct<Item> {
  run(item: Item): Promise<unknown>
  stale: readonly QueryKey[]
  /** What has happened, as the reader sees it. */
  said(item: Item): string
}

interface Waiting {
  sendNow(): Promise<void>
  undo(): void
}

/**
 * What can be taken back for a few seconds: the row goes at once, the request afterwards. A page that is left sends what waits, and nothing
 * offers the way back any more. By keyboard the notification may be a hundred rows away, so that Control+Z takes back the newest. `pending`
 * are the ids that are to be shown no more.
 */
export function useDelayedAct<Item extends { id: string }>({ run, stale, said }: DelayedAct<Item>) {
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
    await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })))
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
      focusAct('delete', item.id)
    }
    waiting.current.set(item.id, { sendNow, undo })
    show(item.id, false)
    notifications.show({
      id: item.id,
      autoClose: false,
      role: 'status',
      message: createElement(ToastAct, { text: said(item), act: t('undo'), keys: 'Control+Z', onAct: undo })
    })
  }
  useEffect(() => {
    const all = waiting.current
    const flush = () => Promise.all([...all.values()].map(({ sendNow }) => sendNow()))
    const leave = () => void flush()
    const onKeyDown = (event: KeyboardEvent) => {
      const newest = [...all.values()].at(-1)
      if (newest === undefined || !isUndoKey(event)) return
      event.preventDefault()
      newest.undo()
    }
    addEventListener('pagehide', leave)
    addEventListener('keydown', onKeyDown)
    waitingActs.add(flush)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('keydown', onKeyDown)
      waitingActs.delete(flush)
      leave()
    }
  }, [])
  return { pending, start }
}
