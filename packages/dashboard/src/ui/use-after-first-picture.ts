import { useSyncExternalStore } from 'react'
import { afterPicture } from './after-picture.ts'

let isSeen = false
const listeners = new Set<() => void>()

function see(): void {
  isSeen = true
  for (const each of listeners) each()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0 && !isSeen) afterPicture(see)
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * True after the first paint. For requests that only interactions need; data that shifts the layout belongs in the
 * route loader.
 */
export const useAfterFirstPicture = (): boolean => useSyncExternalStore(subscribe, () => isSeen)
