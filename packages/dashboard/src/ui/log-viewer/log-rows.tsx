import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual'
import type { LogBuffer } from './log-buffer.ts'
import { LogHeading } from './log-heading.tsx'
import { LogRow } from './log-row.tsx'
import classes from './log-viewer.module.css'
import type { useReachedLine } from './use-reached-line.ts'
import type { LogSection, Sections } from './use-sections.ts'

interface LogRowsProps {
  buffer: LogBuffer
  rows: Virtualizer<HTMLDivElement, Element>
  drawn: readonly VirtualItem[]
  sections: Sections
  find: string
  isWrapped: boolean
  isCurrent(index: number): boolean
  reached: ReturnType<typeof useReachedLine>
  onToggle(section: LogSection): void
  onLink: ((line: number) => void) | undefined
}

/** The rows in view: lines, and headings of sections. */
export function LogRows(props: LogRowsProps) {
  const { buffer, rows, drawn, sections, find, isWrapped, isCurrent, reached, onToggle, onLink } = props
  const measure = isWrapped ? rows.measureElement : null
  return (
    <div className={classes.canvas} style={{ height: rows.getTotalSize() }}>
      {drawn.map(({ key, index: at, start }) => {
        const index = sections.folding.lineOf(at)
        const section = sections.headings.get(index)
        if (section)
          return (
            <LogHeading
              key={key}
              {...{ row: at, start, measure }}
              title={section.title}
              note={section.note}
              isBad={section.isBad ?? false}
              isOpen={section.isOpen}
              onToggle={() => onToggle(section)}
              onMove={reached.move}
            />
          )
        return (
          <LogRow
            key={key}
            {...{ row: at, find, start, isWrapped, measure, onLink }}
            number={buffer.dropped + index + 1}
            text={buffer.lines[index] ?? ''}
            isCurrent={isCurrent(index)}
            isReached={at === reached.index}
            onMove={reached.move}
          />
        )
      })}
    </div>
  )
}
