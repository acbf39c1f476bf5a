import classes from './cut-name.module.css'
import { plainText } from './plain-text.ts'

/**
 * A long machine name on one line, cut in its middle: what tells two names apart is mostly at the end. Its parts are only drawn: read
 * aloud, searched for or copied, it is whole.
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
