import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent, Ref } from 'react'
import classes from './log-viewer.module.css'

interface LogHeadingProps {
  row: number
  title: string
  note: string | undefined
  isBad: boolean
  isOpen: boolean
  start: number
  measure: Ref<HTMLDivElement>
  onToggle(): void
  onMove(by: 1 | -1): void
}

export function LogHeading(props: LogHeadingProps) {
  const { row, title, note, isBad, isOpen, start, measure, onToggle, onMove } = props
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
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
      className={classes.heading}
      data-tone={isBad ? 'bad' : undefined}
      style={{ transform: `translateY(${start}px)` }}
    >
      <button type="button" aria-expanded={isOpen} onClick={onToggle} onKeyDown={onKeyDown}>
        <Chevron size={14} aria-hidden />
        <span>{title}</span>
        {note !== undefined && <span className={classes.note}>{note}</span>}
      </button>
    </div>
  )
}
