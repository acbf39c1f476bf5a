import { useMediaQuery } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useState } from 'react'

/** From so many on only those in sight are drawn; below that the browser's own search finds all. */
const manyRows = 150

/** Where the styles make cards of rows (ui/card.module.css). */
const cardsMedia = '(max-width: 56.25em)'

/**
 * The rows of a table to be drawn, and how high what is left out before and after them is. `body` is the ref of the table's body; heights are
 * those of a row, and of a card on a phone.
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
    // In the document, whatever lies around it; what stands above it may grow.
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
