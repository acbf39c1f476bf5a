import { useSyncExternalStore } from 'react'

let isSeen = false
const listeners = new Set<() => void>()

function see(): void {
  isSeen = true
  for (const each of listeners) each()
}

function subscribe(listener: () => void): () => void {
  // A page that nobody looks at is not drawn, and does not wait for it. Else: the next frame, and what comes when it has been drawn.
  if (listeners.size === 0 && !isSeen) {
    if (document.hidden) setTimeout(see)
    else requestAnimationFrame(() => setTimeout(see))
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Whether the page has been seen once. What counts only when somebody presses something is asked for then, so that it keeps the first picture
 * from nobody; what would move that picture is not, but by the loader of the route.
 */
export const useAfterFirstPicture = (): boolean => useSyncExternalStore(subscribe, () => isSeen)
