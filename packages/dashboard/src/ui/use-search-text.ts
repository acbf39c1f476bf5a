import { useEffect, useRef } from 'react'
import { useSame } from './use-same.ts'

const pauseMs = 150

/** The box answers each key at once; the address, and the list with it, follow when the typing pauses. */
export function useSearchText(apply: (text: string) => void): (text: string) => void {
  const timer = useRef<number>(undefined)
  const applyLatest = useSame(apply)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (text) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => applyLatest(text), pauseMs)
  }
}
