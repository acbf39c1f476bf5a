import { startTransition, useEffect, useState } from 'react'
import { afterPicture } from './after-picture.ts'

let isSeen = false
const listeners = new Set<() => void>()

function see(): void {
  isSeen = true
  for (const each of listeners) each()
}

function subscribe(listener: () => void): () => void {
  if (isSeen) listener()
  else if (listeners.size === 0) afterPicture(see)
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * True after the first paint. For requests that only interactions need; data that shifts the layout belongs in the
 * route loader. It changes in a transition, which renders in slices and so does not block taps.
 */
export function useAfterFirstPicture(): boolean {
  const [isAfter, setIsAfter] = useState(isSeen)
  useEffect(() => subscribe(() => startTransition(() => setIsAfter(true))), [])
  return isAfter
}
