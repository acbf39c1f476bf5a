import type { KeyboardEvent, Ref } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { LogLine } from './log-line.tsx'
import { logMessages } from './log-viewer.messages.ts'
import classes from './log-viewer.module.css'

interface LogRowProps {
  row: number
  /** 1-based, counting dropped lines. */
  number: number
  text: string
  find: string
  start: number
  isWrapped: boolean
  measure: Ref<HTMLDivElement>
  isCurrent: boolean
  /** Roving tabindex: only one line number is reachable by Tab; arrow keys move to the others. */
  isReached: boolean
  onLink: ((number: number) => void) | undefined
  onMove(by: 1 | -1): void
}

export function LogRow(props: LogRowProps) {
  const { row, number, text, find, start, isWrapped, measure, isCurrent, isReached, onLink, onMove } = props
  const t = useMessages(logMessages)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <div
      ref={measure}
      data-index={row}
      className={classes.line}
      data-wrap={isWrapped || undefined}
      data-current={isCurrent || undefined}
      style={{ transform: `translateY(${start}px)` }}
    >
      {onLink ? (
        <button
          type="button"
          className={classes.number}
          aria-label={t('link', { line: String(number) })}
          // Hidden from screen readers, which would announce the link before each line.
          aria-hidden={!isReached}
          tabIndex={isReached ? 0 : -1}
          onClick={() => onLink(number)}
          onKeyDown={onKeyDown}
        >
          {number}
        </button>
      ) : (
        <span className={classes.number} aria-hidden="true">
          {number}
        </span>
      )}
      <LogLine text={text} find={find} />
    </div>
  )
}
