import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { type Live, liveOf, type LiveState } from './live.ts'

/** The channel, and whether it is there. */
export function useLive(): { live: Live; state: LiveState } {
  const live = liveOf(useQueryClient())
  return { live, state: useSyncExternalStore(live.subscribe, live.state) }
}
