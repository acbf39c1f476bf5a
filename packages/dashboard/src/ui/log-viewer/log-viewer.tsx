import { Button } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { LogBar } from './log-bar.tsx'
import type { LogBuffer } from './log-buffer.ts'
import { LogRows } from './log-rows.tsx'
import { logMessages } from './log-viewer.messages.ts'
import classes from './log-viewer.module.css'
import { useLogSearch } from './use-log-search.ts'
import { useLinkedLine } from './use-linked-line.ts'
import { useReachedLine } from './use-reached-line.ts'
import { type LogSection, useSections } from './use-sections.ts'

const rowHeight = 20
const headingHeight = 28

const none: readonly LogSection[] = []

interface LogViewerProps {
  buffer: LogBuffer
  label: string
  fileName: string
  isLive: boolean
  status?: ReactNode
  find: string
  onFind(text: string): void
  /** 1-based line to show. */
  line?: number | undefined
  /** Incremented on each request to show the line, also for the same one. */
  lineRequests?: number
  onLine?(line: number): void
  /** `isOpen` is the initial state. */
  sections?: readonly LogSection[]
}

/**
 * Virtualized log view. Follows the end until the user scrolls up, then shows the number of new lines. A focusable
 * region, not a live region: 100 lines a second must not be read aloud.
 */
export function LogViewer({
  buffer,
  label,
  fileName,
  isLive,
  status,
  find,
  onFind,
  line,
  lineRequests = 0,
  onLine,
  sections = none
}: LogViewerProps) {
  const t = useMessages(logMessages)
  useSyncExternalStore(buffer.subscribe, buffer.version)
  const { dropped } = buffer
  const count = buffer.lines.length
  const box = useRef<HTMLDivElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const lastTop = useRef(0)
  const [isWrapped, setWrapped] = useState(false)
  /** Last line number when the user left the end; undefined while following. */
  const [leftAt, setLeftAt] = useState<number | undefined>(line === undefined ? undefined : Infinity)
  const linked = line === undefined ? undefined : line - 1 - dropped
  const log = useSections({ buffer, sections, find, linked })
  const { folding, folded } = log
  const rows = useVirtualizer({
    count: folding.count,
    getScrollElement: () => box.current,
    estimateSize: (row) => (log.headings.has(folding.lineOf(row)) ? headingHeight : rowHeight),
    // Renders the end first when following, not the beginning.
    initialOffset: leftAt === undefined ? Number.MAX_SAFE_INTEGER : 0,
    overscan: 12
  })
  const leave = () => setLeftAt((before) => before ?? dropped + count)
  const show = (index: number) => {
    leave()
    rows.scrollToIndex(folding.rowOf(index), { align: 'center' })
  }
  const search = useLogSearch({ buffer, find, line, show })
  useLayoutEffect(() => {
    if (leftAt === undefined && folding.count > 0) rows.scrollToIndex(folding.count - 1, { align: 'end' })
  }, [folding.count, leftAt, rows])
  // Folding and unfolding move lines, so sizes that were measured before belong to other rows.
  useLayoutEffect(() => rows.measure(), [folded, rows])
  useLinkedLine({ buffer, rows, sections: log, linked, request: `${line} ${lineRequests}`, onShow: setLeftAt })
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = box.current!
    if (scrollTop < lastTop.current - 1) leave()
    else if (scrollHeight - scrollTop - clientHeight < 4) setLeftAt(undefined)
    lastTop.current = scrollTop
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isFind = event.key === '/' || (event.key === 'f' && (event.ctrlKey || event.metaKey))
    if (isFind) event.preventDefault()
    if (isFind) searchBox.current?.focus()
    if (event.key === 'End') setLeftAt(undefined)
  }
  const current = search.matches[search.at]
  const drawn = rows.getVirtualItems()
  const isCurrent = (index: number) => index === current || index === linked
  const reached = useReachedLine({
    box,
    rows,
    drawn,
    isCurrent: (at) => isCurrent(folding.lineOf(at)),
    count: folding.count,
    leave
  })
  return (
    <div className={classes.viewer}>
      <LogBar
        {...{ buffer, fileName, status, find, onFind, search, isWrapped, searchBox }}
        onWrap={() => {
          setWrapped(!isWrapped)
          rows.measure()
        }}
        onLeave={() => box.current?.focus()}
      />
      {buffer.isCut && <p className={classes.dropped}>{t('cut')}</p>}
      <div
        ref={box}
        className={classes.box}
        role="region"
        aria-label={label}
        tabIndex={0}
        dir="ltr"
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        {count === 0 && isLive && <p className={classes.waiting}>{t('waiting')}</p>}
        <LogRows
          {...{ buffer, rows, drawn, find, isWrapped, isCurrent, reached }}
          sections={log}
          onToggle={({ key, isOpen }) => {
            leave()
            log.set(key, !isOpen)
          }}
          onLink={onLine}
        />
      </div>
      {isLive && leftAt !== undefined && (
        <Button
          className={classes.jump!}
          size="xs"
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={() => setLeftAt(undefined)}
        >
          {dropped + count > leftAt ? t('jump', { count: dropped + count - leftAt }) : t('follow')}
        </Button>
      )}
    </div>
  )
}
