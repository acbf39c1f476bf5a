import { Link, type LinkProps, useMatchRoute, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import classes from './tabs.module.css'
import { useTitle } from './use-title.ts'

interface TabsProps {
  label: string
  items: readonly { label: string; link: LinkProps }[]
  of?: string
}

export function Tabs({ label, items, of }: TabsProps) {
  const nav = useRef<HTMLElement>(null)
  const matchRoute = useMatchRoute()
  const open = items.find(({ link: { to, params, activeOptions } }) =>
    matchRoute({ to, params, fuzzy: activeOptions?.exact !== true })
  )
  useTitle(of === undefined || open === undefined ? undefined : `${open.label} · ${of}`)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // On phones the tabs scroll; keeps the active one visible.
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
