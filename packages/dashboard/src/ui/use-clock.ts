import { useSyncExternalStore } from 'react'

const tickMs = 60_000

const listeners = new Set<() => void>()
let timer: number | undefined
let ticks = 0

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= window.setInterval(() => {
    ticks++
    for (const each of listeners) each()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Re-renders relative times each minute, with one timer for all of them. */
export const useClock = (): number => useSyncExternalStore(subscribe, () => ticks)
