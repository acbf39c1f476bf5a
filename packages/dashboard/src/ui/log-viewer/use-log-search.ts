import { useDeferredValue, useEffect, useEffectEvent, useRef, useState } from 'react'
import { withoutEscapes } from './ansi.ts'
import type { LogBuffer } from './log-buffer.ts'

const sliceMs = 8

interface LogSearch {
  matches: readonly number[]
  at: number
  go(by: 1 | -1): void
}

interface Found {
  wanted: string
  matches: readonly number[]
  at: number
}

interface LogSearchOptions {
  buffer: LogBuffer
  find: string
  /** A linked line: the search must not scroll away from it. */
  line: number | undefined
  show(index: number): void
}

/**
 * Searches in time slices so that 100,000 lines do not block the page. New lines are searched without moving the
 * reader.
 */
export function useLogSearch({ buffer, find, line, show }: LogSearchOptions): LogSearch {
  const wanted = useDeferredValue(find).toLowerCase()
  const [found, setFound] = useState<Found>()
  const held = useRef(line === undefined ? undefined : find.toLowerCase())
  const take = useEffectEvent((matches: readonly number[]) => {
    const isHeld = held.current === wanted && line !== undefined
    const nearest = isHeld ? matches.findIndex((match) => buffer.dropped + match >= line - 1) : 0
    const isKnown = found?.wanted === wanted && found.matches.length > 0
    const at = isKnown ? Math.min(found.at, matches.length - 1) : Math.max(0, nearest)
    setFound({ wanted, matches, at })
    if (!isKnown && !isHeld && matches[at] !== undefined) show(matches[at])
  })
  useEffect(() => {
    if (wanted === '') return undefined
    held.current = held.current === wanted ? wanted : undefined
    let matches: number[] = []
    let next = 0
    let dropped = buffer.dropped
    let announced = 0
    let timer: number | undefined
    const slice = () => {
      timer = undefined
      const until = performance.now() + sliceMs
      for (; next < buffer.whole && performance.now() < until; next++)
        if (withoutEscapes(buffer.lines[next]!).toLowerCase().includes(wanted)) matches.push(next)
      if (next < buffer.whole) timer = window.setTimeout(slice)
      else if (matches.length !== announced) {
        announced = matches.length
        take([...matches])
      }
    }
    const goOn = () => {
      // After a reset or dropped lines, all indexes change.
      if (next > buffer.whole || dropped !== buffer.dropped) {
        matches = []
        next = 0
        dropped = buffer.dropped
        announced = -1
      } else if (next > 0 && matches.at(-1) === --next) matches.pop() // The last line may have been half of one.
      timer ??= window.setTimeout(slice)
    }
    slice()
    const end = buffer.subscribe(goOn)
    return () => {
      end()
      clearTimeout(timer)
    }
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
