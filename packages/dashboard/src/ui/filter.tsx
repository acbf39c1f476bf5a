import { Link } from '@tanstack/react-router'
import classes from './filter.module.css'

interface FilterProps<Value extends string> {
  label: string
  /** Of the search of the address. */
  name: string
  /** The first is the one without a filter. */
  options: readonly { value: Value; label: string }[]
  selected: Value
}

/** Up to five values as links beside each other; more are a select. A filter takes the place of the one before in the history. */
export function Filter<Value extends string>({ label, name, options, selected }: FilterProps<Value>) {
  return (
    <nav aria-label={label} className={classes.filter}>
      {options.map((option, at) => (
        <Link
          key={option.value}
          to="."
          replace
          search={(search: Record<string, unknown>) => ({
            ...search,
            page: undefined,
            [name]: at === 0 ? undefined : option.value
          })}
          aria-current={option.value === selected ? 'true' : undefined}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  )
}
