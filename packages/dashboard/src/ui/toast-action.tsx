import type { ReactNode } from 'react'
import classes from './toast-action.module.css'

export function ToastAction({ text, action, keys, onAction }: ToastActionProps) {
  return (
    <span className={classes.row}>
      <span className={classes.text}>{text}</span>
      <button type="button" className={classes.act} aria-keyshortcuts={keys} onClick={onAction}>
        {action}
      </button>
    </span>
  )
}

interface ToastActionProps {
  text: ReactNode
  action: string
  keys?: string
  onAction(): void
}
