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
import { LogBar } from './log-bar.tsx'
import type { LogBuffer } from './log-buffer.ts'
import { LogRow } from './log-row.tsx'
import { logMessages } from './log-viewer.messages.ts'
import classes from './log-viewer.module.css'
import { useLogSearch } from './use-log-search.ts'
import { useReachedLine } from './use-reached-line.ts'

const rowHeight = 20

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
  onLine?(line: number): void
}

/**
 * Virtualized log view. Follows the end until the user scrolls up, then shows the number of new lines. A focusable
 * region, not a live region: 100 lines a second must not be read aloud.
 */
export function LogViewer({ buffer, label, fileName, isLive, status, find, onFind, line, onLine }: LogViewerProps) {
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
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    // Renders the end first when following, not the beginning.
    initialOffset: leftAt === undefined ? Number.MAX_SAFE_INTEGER : 0,
    overscan: 12
  })
  const leave = () => setLeftAt((before) => before ?? dropped + count)
  const show = (index: number) => {
    leave()
    rows.scrollToIndex(index, { align: 'center' })
  }
  const search = useLogSearch({ buffer, find, line, show })
  useLayoutEffect(() => {
    if (leftAt === undefined && count > 0) rows.scrollToIndex(count - 1, { align: 'end' })
  }, [count, leftAt, rows])
  const shownLine = useRef<number>(undefined)
  useEffect(() => {
    if (line === undefined || shownLine.current === line || !buffer.has(line - 1 - dropped)) return
    shownLine.current = line
    setLeftAt(dropped + count)
    rows.scrollToIndex(line - 1 - dropped, { align: 'center' })
  }, [line, count, dropped, version, buffer, rows])
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
  const isCurrent = (index: number) => index === current || index + 1 + dropped === line
  const reached = useReachedLine({ box, rows, drawn, isCurrent, count, leave })
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
          {drawn.map(({ key, index, start }) => (
            <LogRow
              key={key}
              {...{ index, find, start, isWrapped }}
              number={dropped + index + 1}
              text={buffer.lines[index]!}
              measure={isWrapped ? rows.measureElement : null}
              isCurrent={isCurrent(index)}
              isReached={index === reached.index}
              onLink={onLine}
              onMove={reached.move}
            />
          ))}
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
