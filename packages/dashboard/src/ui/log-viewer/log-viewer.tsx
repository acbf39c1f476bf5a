import { Button } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore
} from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { foldingOf, type Section } from './folding.ts'
import { LogBar } from './log-bar.tsx'
import type { LogBuffer } from './log-buffer.ts'
import { LogHeading } from './log-heading.tsx'
import { LogRow } from './log-row.tsx'
import { logMessages } from './log-viewer.messages.ts'
import classes from './log-viewer.module.css'
import { useLogSearch } from './use-log-search.ts'
import { useReachedLine } from './use-reached-line.ts'

const rowHeight = 20
const headingHeight = 28

/** A part of the log below a heading, which replaces its first line. */
export interface LogSection extends Section {
  title: string
  note?: string | undefined
  isBad?: boolean
}
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
  /** Goes up each time the user asks for the line, also for the same one again. */
  lineRequests?: number
  onLine?(line: number): void
  /** `isOpen` is how they are at first. A search opens all, and a link the one of its line. */
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
  const version = useSyncExternalStore(buffer.subscribe, buffer.version)
  const { dropped } = buffer
  const count = buffer.lines.length
  const box = useRef<HTMLDivElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const lastTop = useRef(0)
  const [isWrapped, setWrapped] = useState(false)
  /** Last line number when the user left the end; undefined while following. */
  const [leftAt, setLeftAt] = useState<number | undefined>(line === undefined ? undefined : Infinity)
  const [toggled, setToggled] = useState<Readonly<Record<string, boolean>>>({})
  const linked = line === undefined ? undefined : line - 1 - dropped
  const isLinked = ({ from, to }: Section) => linked !== undefined && linked >= from && linked < to
  // The lines of earlier sections may still be missing.
  const folds = (buffer.isWhole ? sections : none).map((section) => ({
    ...section,
    isOpen: find !== '' || (toggled[section.key] ?? (section.isOpen || isLinked(section)))
  }))
  const folding = foldingOf(count, folds)
  const headings = new Map(folds.map((section) => [section.from, section]))
  const rows = useVirtualizer({
    count: folding.count,
    getScrollElement: () => box.current,
    estimateSize: (row) => (headings.has(folding.lineOf(row)) ? headingHeight : rowHeight),
    // Renders the end first when following, not the beginning.
    initialOffset: leftAt === undefined ? Number.MAX_SAFE_INTEGER : 0,
    overscan: 12
  })
  const leave = () => setLeftAt((before) => before ?? dropped + count)
  const show = (index: number) => {
    leave()
    rows.scrollToIndex(folding.rowOf(index), { align: 'center' })
  }
  const toggle = ({ key, isOpen }: Section) => {
    leave()
    setToggled({ ...toggled, [key]: !isOpen })
  }
  const search = useLogSearch({ buffer, find, line, show })
  useLayoutEffect(() => {
    if (leftAt === undefined && folding.count > 0) rows.scrollToIndex(folding.count - 1, { align: 'end' })
  }, [folding.count, leftAt, rows])
  // Folding and unfolding move lines, so sizes that were measured before belong to other rows.
  const folded = folds.map(({ key, from, isOpen }) => `${key} ${from} ${isOpen}`).join()
  useLayoutEffect(() => rows.measure(), [folded, rows])
  const shownLine = useRef<string>(undefined)
  const closed = folds.find((section) => isLinked(section) && !section.isOpen)?.key
  const row = linked === undefined ? undefined : folding.rowOf(linked)
  useEffect(() => {
    const target = `${line} ${lineRequests} ${folded === ''}`
    if (linked === undefined || row === undefined || shownLine.current === target || !buffer.has(linked)) return
    if (closed !== undefined) return setToggled((before) => ({ ...before, [closed]: true }))
    shownLine.current = target
    setLeftAt(dropped + count)
    rows.scrollToIndex(row, { align: 'center' })
  }, [line, lineRequests, linked, row, closed, folded, count, dropped, version, buffer, rows])
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
        <div className={classes.canvas} style={{ height: rows.getTotalSize() }}>
          {drawn.map(({ key, index: at, start }) => {
            const index = folding.lineOf(at)
            const section = headings.get(index)
            const measure = isWrapped ? rows.measureElement : null
            if (section)
              return (
                <LogHeading
                  key={key}
                  {...{ row: at, start, measure }}
                  title={section.title}
                  note={section.note}
                  isBad={section.isBad ?? false}
                  isOpen={section.isOpen}
                  onToggle={() => toggle(section)}
                  onMove={reached.move}
                />
              )
            return (
              <LogRow
                key={key}
                {...{ row: at, find, start, isWrapped, measure }}
                number={dropped + index + 1}
                text={buffer.lines[index] ?? ''}
                isCurrent={isCurrent(index)}
                isReached={at === reached.index}
                onLink={onLine}
                onMove={reached.move}
              />
            )
          })}
        </div>
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
