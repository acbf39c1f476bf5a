import classes from './progress.module.css'

/** Of what is known: without `value` it is under way, and nobody knows how far. */
export function Progress({ label, value }: { label: string; value?: number }) {
  return <progress className={classes.progress} aria-label={label} max={1} {...(value !== undefined && { value })} />
}
