import { useEffect, useRef } from 'react'
import { useSame } from './use-same.ts'

const pauseMs = 150

export function useSearchText(apply: (text: string) => void): (text: string) => void {
  const timer = useRef<number>(undefined)
  const applyLatest = useSame(apply)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (text) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => applyLatest(text), pauseMs)
  }
}
