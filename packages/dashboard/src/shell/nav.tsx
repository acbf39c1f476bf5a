import { Link } from '@tanstack/react-router'
import { useMessages } from '../i18n/i18n.tsx'
import { accountItems, type NavItem, serverItems } from './nav-items.ts'
import classes from './nav.module.css'
import { shellMessages } from './shell.messages.ts'
import { useIsInNav } from './use-is-in-nav.ts'

export function Nav({ onGo }: { onGo?: () => void }) {
  const t = useMessages(shellMessages)
  const isShown = useIsInNav()
  const visible = (items: readonly NavItem[]) => items.filter(isShown)
  const server = visible(serverItems)
  return (
    <nav aria-label={t('main')} className={classes.nav}>
      <NavList items={visible(accountItems)} {...(onGo && { onGo })} />
      {server.length > 0 && (
        <>
          <h2>{t('server')}</h2>
          <NavList items={server} {...(onGo && { onGo })} />
        </>
      )}
    </nav>
  )
}

function NavList({ items, onGo }: { items: readonly NavItem[]; onGo?: () => void }) {
  const t = useMessages(shellMessages)
  return (
    <ul>
      {items.map(({ to, icon: Glyph, label }) => (
        <li key={to}>
          <Link
            to={to}
            className={classes.item}
            activeOptions={{ exact: to === '/' }}
            activeProps={{ className: `${classes.item} ${classes.active}`, 'aria-current': 'page' }}
            onClick={() => onGo?.()}
          >
            <Glyph size={18} stroke={1.6} aria-hidden />
            {t(label)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
