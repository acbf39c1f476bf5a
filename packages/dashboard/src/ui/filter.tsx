import { Link } from '@tanstack/react-router'
import classes from './filter.module.css'

interface FilterProps<Value extends string> {
  label: string
  /** Of the search of the address. */
  name: string
  options: readonly { value: Value; label: string }[]
  selected: Value
  /** The one that the address leaves out: the first, unless it is said. */
  standard?: Value
}

/** Up to five values as links beside each other; more are a select. A filter takes the place of the one before in the history. */
export function Filter<Value extends string>({
  label,
  name,
  options,
  selected,
  standard = options[0]?.value
}: FilterProps<Value>) {
  return (
    <nav aria-label={label} className={classes.filter}>
      {options.map((option) => (
        <Link
          key={option.value}
          to="."
          replace
          // The first has no word in the address: without this it would count as where one is, whatever the filter.
          activeOptions={{ explicitUndefined: true }}
          search={(search: Record<string, unknown>) => ({
            ...search,
            page: undefined,
            [name]: option.value === standard ? undefined : option.value
          })}
          aria-current={option.value === selected ? 'true' : undefined}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  )
}
