import classes from './cut-name.module.css'
import { plainText } from './plain-text.ts'

/** A long machine name on one line, cut in its middle: what tells two names apart is mostly at the end. Copied, it is whole. */
export function CutName({ name: given, tail = 10 }: { name: string; tail?: number }) {
  const name = plainText(given)
  const isCut = name.length > 2 * tail
  const split = isCut ? name.length - tail : name.length
  return (
    <span className={classes.name} dir="ltr" title={isCut ? name : undefined}>
      <span className={classes.head}>{name.slice(0, split)}</span>
      {isCut && <span className={classes.tail}>{name.slice(split)}</span>}
    </span>
  )
}
