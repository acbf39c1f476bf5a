import classes from './toast-act.module.css'

/** What a notification says, and the one thing that can be done about it. */
export function ToastAct({ text, act, keys, onAct }: ToastActProps) {
  return (
    <span className={classes.row}>
      <span className={classes.text}>{text}</span>
      <button type="button" className={classes.act} aria-keyshortcuts={keys} onClick={onAct}>
        {act}
      </button>
    </span>
  )
}

interface ToastActProps {
  text: string
  act: string
  /** What does the same, wherever the focus is. */
  keys?: string
  onAct(): void
}
