import classes from './cut-name.module.css'
import { plainText } from './plain-text.ts'

/**
 * A long name on one line, shortened in the middle because names mostly differ at the end. Screen readers, search and
 * copy get the full name.
 */
export function CutName({ name: given, tail = 10 }: { name: string; tail?: number }) {
  const name = plainText(given)
  const split = name.length - tail
  if (split <= tail)
    return (
      <span className={classes.name} dir="ltr">
        <span className={classes.short}>{name}</span>
      </span>
    )
  return (
    <span className={classes.cut} dir="ltr" title={name} data-head={name.slice(0, split)} data-tail={name.slice(split)}>
      <span className="vh">{name}</span>
    </span>
  )
}
