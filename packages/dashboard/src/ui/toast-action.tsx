import classes from './toast-action.module.css'

/** What a notification says, and the one thing that can be done about it. */
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
  text: string
  action: string
  /** What does the same, wherever the focus is. */
  keys?: string
  onAction(): void
}
