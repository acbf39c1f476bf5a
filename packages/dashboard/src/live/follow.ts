import type { LiveAnswer, LiveEnded } from '@panel/contract/live'
import type { Socket } from 'socket.io-client'

export interface Followed {
  /** Input of each subscription: a log resumes at its position. */
  input(): object
  /** Handlers by event name. The server sends the next event when the handler returns. */
  on: Readonly<Record<string, (data: never) => void>>
  onEnded?(error: LiveEnded['error']): void
}

/** Subscribes now and after each reconnect. Returns an unsubscribe function. */
export function followOn(socket: Socket, name: string, { input, on, onEnded }: Followed): () => void {
  let id: string | undefined
  let isOver = false
  const unsubscribe = () => {
    if (socket.connected && id !== undefined) socket.emit(`unsubscribe:${name}`, { id })
  }
  const ask = () =>
    socket.emit(`subscribe:${name}`, input(), (answer: LiveAnswer) => {
      if (answer.ok) id = answer.id
      if (isOver) unsubscribe()
      else if (!answer.ok) onEnded?.(answer.error)
    })
  const end = (ended: LiveEnded) => {
    if (ended.id === id) onEnded?.(ended.error)
  }
  const handlers = Object.entries(on).map(([event, take]) => {
    const handler = (data: unknown, acknowledge?: () => void) => {
      take(data as never)
      acknowledge?.()
    }
    return { event, handler }
  })
  socket.on('connect', ask)
  socket.on(`ended:${name}`, end)
  for (const { event, handler } of handlers) socket.on(event, handler)
  if (socket.connected) ask()
  return () => {
    isOver = true
    socket.off('connect', ask)
    socket.off(`ended:${name}`, end)
    for (const { event, handler } of handlers) socket.off(event, handler)
    unsubscribe()
  }
}
