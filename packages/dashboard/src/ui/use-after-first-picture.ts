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
 * Whether the page has been seen once. What counts only when somebody presses something is asked for then, so that it keeps the first picture
 * from nobody; what would move that picture is not, but by the loader of the route.
 */
export const useAfterFirstPicture = (): boolean => useSyncExternalStore(subscribe, () => isSeen)
