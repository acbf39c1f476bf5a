import { useMediaQuery } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useState } from 'react'

/** Virtualizes from this many rows; below it, browser search finds everything. */
const manyRows = 150

const cardsMedia = '(max-width: 56.25em)'

/**
 * Rows to render, and the heights of the omitted rows before and after. `body` is the ref of the tbody; `height` is
 * that of a row, and of a card on a phone.
 */
export function useRowsInSight<Row>(all: readonly Row[], height: { row: number; card: number }) {
  const [body, setBody] = useState<HTMLTableSectionElement | null>(null)
  const [top, setTop] = useState(0)
  const isWindowed = all.length >= manyRows
  const isCards = useMediaQuery(cardsMedia, false, { getInitialValueInEffect: false })
  const rows = useWindowVirtualizer({
    count: all.length,
    enabled: isWindowed,
    estimateSize: () => (isCards ? height.card : height.row),
    overscan: 10,
    scrollMargin: top
  })
  useEffect(() => rows.measure(), [rows, isCards])
  useEffect(() => {
    if (!isWindowed || !body) return
    // Document position, because content above may grow.
    const measure = () => setTop(Math.round(body.getBoundingClientRect().top + window.scrollY))
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [body, isWindowed])
  if (!isWindowed) return { body: setBody, shown: all, before: 0, after: 0 }
  const items = rows.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  return {
    body: setBody,
    shown: items.map(({ index }) => all[index]!),
    before: first ? first.start - top : 0,
    after: last ? rows.getTotalSize() - (last.end - top) : 0
  }
}
