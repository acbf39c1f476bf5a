import type { KeyboardEvent, Ref } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { LogLine } from './log-line.tsx'
import { logMessages } from './log-viewer.messages.ts'
import classes from './log-viewer.module.css'

interface LogRowProps {
  index: number
  /** From 1, of all that there were. */
  number: number
  text: string
  find: string
  /** Where it is drawn. */
  start: number
  isWrapped: boolean
  measure: Ref<HTMLDivElement>
  /** What the reader was led to. */
  isCurrent: boolean
  /** Of all numbers one is reached by Tab; the arrow keys lead from it to the others. */
  isReached: boolean
  onLink: ((number: number) => void) | undefined
  onMove(by: 1 | -1): void
}

export function LogRow(props: LogRowProps) {
  const { index, number, text, find, start, isWrapped, measure, isCurrent, isReached, onLink, onMove } = props
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
      data-index={index}
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
          // Who reads by ear hears the lines, and not before each of them that it can be linked to.
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
