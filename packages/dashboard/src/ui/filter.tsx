import { Link } from '@tanstack/react-router'
import classes from './filter.module.css'

interface FilterProps<Value extends string> {
  label: string
  name: string
  options: readonly { value: Value; label: string }[]
  selected: Value
  /** The default value, which the URL omits: the first option unless set. */
  standard?: Value
}

/** Up to five values as links, more as a select. Replaces the history entry. */
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
          // The default has no parameter, so without `exact` its link would always be active.
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
