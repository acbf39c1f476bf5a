import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { LogBuffer } from './log-buffer.ts'
import type { Sections } from './use-sections.ts'

interface LinkedLineOptions {
  buffer: LogBuffer
  rows: Virtualizer<HTMLDivElement, Element>
  sections: Sections
  /** 0-based index. */
  linked: number | undefined
  /** Changes with each request to show the line. */
  request: string
  /** Stable. Called with the last line number when the line is shown. */
  onShow(last: number): void
}

/** Scrolls to the linked line once per request, as soon as its text has arrived, and opens its section. */
export function useLinkedLine({ buffer, rows, sections, linked, request, onShow }: LinkedLineOptions): void {
  const shown = useRef<string>(undefined)
  const { folding, closed, folded, set } = sections
  const row = linked === undefined ? undefined : folding.rowOf(linked)
  const last = buffer.dropped + buffer.lines.length
  const version = buffer.version()
  useEffect(() => {
    const target = `${request} ${folded === ''}`
    if (linked === undefined || row === undefined || shown.current === target || !buffer.has(linked)) return
    if (closed !== undefined) return set(closed, true)
    shown.current = target
    onShow(last)
    rows.scrollToIndex(row, { align: 'center' })
  }, [request, linked, row, closed, folded, set, last, version, buffer, rows, onShow])
}
