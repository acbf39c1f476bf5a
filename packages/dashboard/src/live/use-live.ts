import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useAfterFirstPicture } from '../ui/use-after-first-picture.ts'
import { type Live, liveOf, type LiveState } from './live.ts'

export function useLive(): { live: Live; state: LiveState } {
  const live = liveOf(useQueryClient())
  return { live, state: useSyncExternalStore(live.subscribe, live.state) }
}

/** Keeps the channel open while a user is signed in. Its code loads after the first paint. */
export function useLiveChannel(): void {
  const live = liveOf(useQueryClient())
  const isSeen = useAfterFirstPicture()
  useEffect(() => {
    if (!isSeen) return undefined
    void live.start()
    return () => live.stop()
  }, [live, isSeen])
}
