import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useAfterFirstPicture } from '../ui/use-after-first-picture.ts'
import { type Live, liveOf, type LiveState } from './live.ts'

/** The channel, and whether it is there. */
export function useLive(): { live: Live; state: LiveState } {
  const live = liveOf(useQueryClient())
  return { live, state: useSyncExternalStore(live.subscribe, live.state) }
}

/** Holds the channel open, as long as somebody is signed in. Its code is loaded after the first picture. */
export function useLiveChannel(): void {
  const live = liveOf(useQueryClient())
  const isSeen = useAfterFirstPicture()
  useEffect(() => {
    if (!isSeen) return undefined
    void live.start()
    return () => live.stop()
  }, [live, isSeen])
}
