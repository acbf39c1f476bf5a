import { Link, type LinkProps } from '@tanstack/react-router'
import classes from './tabs.module.css'

/** Tabs that are pages: links in a nav, so that they can be opened aside and read out as links. */
export function Tabs({ label, items }: { label: string; items: readonly { label: string; link: LinkProps }[] }) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      <ul>
        {items.map((item) => (
          <li key={item.label}>
            <Link
              {...item.link}
              className={classes.tab}
              activeProps={{ className: `${classes.tab} ${classes.active}`, 'aria-current': 'page' }}
            >
              {item.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
