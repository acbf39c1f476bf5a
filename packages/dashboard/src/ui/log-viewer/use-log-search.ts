import { useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import { plainText } from './ansi.ts'
import type { LogBuffer } from './log-buffer.ts'

const sliceMs = 8

interface LogSearch {
  /** Numbers of the lines that have it, from 0. */
  matches: readonly number[]
  /** Which of them is shown. */
  at: number
  go(by: 1 | -1): void
}

/** Finds lines in slices of time, so that 100,000 of them stop nobody. Lines that come later do not disturb what is being read. */
export function useLogSearch(buffer: LogBuffer, find: string, show: (line: number) => void): LogSearch {
  const wanted = useDeferredValue(find).toLowerCase()
  const [found, setFound] = useState<{ wanted: string; matches: readonly number[]; at: number }>()
  const finish = useEffectEvent((matches: readonly number[]) => {
    setFound({ wanted, matches, at: 0 })
    if (matches[0] !== undefined) show(matches[0])
  })
  useEffect(() => {
    if (wanted === '') return undefined
    const matches: number[] = []
    let line = 0
    let timer: number | undefined
    const slice = () => {
      const until = performance.now() + sliceMs
      for (; line < buffer.lines.length && performance.now() < until; line++)
        if (plainText(buffer.lines[line]!).toLowerCase().includes(wanted)) matches.push(line)
      if (line < buffer.lines.length) timer = window.setTimeout(slice)
      else finish(matches)
    }
    slice()
    return () => clearTimeout(timer)
  }, [buffer, wanted])
  const { matches, at } = found?.wanted === wanted && wanted !== '' ? found : { matches: [], at: 0 }
  return {
    matches,
    at,
    go(by) {
      if (matches.length === 0) return
      const next = (at + by + matches.length) % matches.length
      setFound({ wanted, matches, at: next })
      show(matches[next]!)
    }
  }
}
