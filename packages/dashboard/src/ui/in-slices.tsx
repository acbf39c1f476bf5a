import { type ReactNode, useDeferredValue } from 'react'

/**
 * Shows `fallback` at once and renders the children after it, in slices: one long render would block taps and scrolling
 * on a phone.
 */
export function InSlices({ fallback = null, children }: { fallback?: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : fallback
}
