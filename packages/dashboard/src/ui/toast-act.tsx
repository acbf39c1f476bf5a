import classes from './toast-act.module.css'

/** What a notification says, and the one thing that can be done about it. */
export function ToastAct({ text, act, onAct }: { text: string; act: string; onAct(): void }) {
  return (
    <span className={classes.row}>
      <span className={classes.text}>{text}</span>
      <button type="button" className={classes.act} onClick={onAct}>
        {act}
      </button>
    </span>
  )
}
