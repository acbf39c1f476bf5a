import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef, useState } from 'react'

interface ReachedLineOptions {
  box: RefObject<HTMLDivElement | null>
  rows: Pick<Virtualizer<HTMLDivElement, Element>, 'scrollToIndex'>
  drawn: readonly VirtualItem[]
  isCurrent(index: number): boolean
  count: number
  leave(): void
}

/** The line number that Tab reaches: last focused, else linked, else the middle of the view. */
export function useReachedLine({ box, rows, drawn, isCurrent, count, leave }: ReachedLineOptions) {
  const [moved, setMoved] = useState<number>()
  const isToFocus = useRef(false)
  const isDrawn = (index: number) => drawn.some((row) => row.index === index)
  const index =
    moved !== undefined && isDrawn(moved)
      ? moved
      : (drawn.find((row) => isCurrent(row.index)) ?? drawn[Math.floor(drawn.length / 2)])?.index
  useEffect(() => {
    if (!isToFocus.current || index !== moved) return
    isToFocus.current = false
    box.current?.querySelector<HTMLElement>(`[data-index="${index}"] > button`)?.focus({ preventScroll: true })
  }, [moved, index, box])
  return {
    index,
    move(by: 1 | -1): void {
      if (index === undefined) return
      const to = Math.min(count - 1, Math.max(0, index + by))
      leave()
      rows.scrollToIndex(to, { align: 'auto' })
      isToFocus.current = true
      setMoved(to)
    }
  }
}
