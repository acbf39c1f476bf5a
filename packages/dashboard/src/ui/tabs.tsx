import { Link, type LinkProps, useMatchRoute, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import classes from './tabs.module.css'
import { useTitle } from './use-title.ts'

interface TabsProps {
  label: string
  items: readonly { label: string; link: LinkProps }[]
  /** What the tabs are about, for the title of the window, which names the open one too. */
  of?: string
}

/** Tabs that are pages: links in a nav, so that they can be opened aside and read out as links. */
export function Tabs({ label, items, of }: TabsProps) {
  const nav = useRef<HTMLElement>(null)
  const matchRoute = useMatchRoute()
  const open = items.find(({ link: { to, params, activeOptions } }) =>
    matchRoute({ to, params, fuzzy: activeOptions?.exact !== true })
  )
  useTitle(of === undefined || open === undefined ? undefined : `${open.label} · ${of}`)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // On a telephone there are more than one sees: the one that is open is among these.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [path])
  return (
    <nav aria-label={label} className={classes.tabs} ref={nav}>
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
