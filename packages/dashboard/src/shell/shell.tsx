import { ActionIcon } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Preferences } from '../features/account/preferences.ts'
import { meQuery } from '../features/auth/me.queries.ts'
import { Bell } from '../features/notifications/bell.tsx'
import { SessionGate } from '../features/session/session-gate.tsx'
import { PartNotices } from '../features/system/part-notices.tsx'
import { useMessages } from '../i18n/i18n.tsx'
import { LiveSign } from '../live/live-sign.tsx'
import { useLiveChannel } from '../live/use-live.ts'
import { InSlices } from '../ui/in-slices.tsx'
import { Logo } from '../ui/logo.tsx'
import { SettingsAccess } from '../ui/settings-link.tsx'
import { StaleNotice } from '../ui/stale-notice.tsx'
import { RowsSkeleton } from '../ui/states.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Nav } from './nav.tsx'
import { PaletteButton, PaletteHost, PaletteIcon } from './palette-button.tsx'
import { shellMessages } from './shell.messages.ts'
import classes from './shell.module.css'
import { UserMenu } from './user-menu.tsx'

const NavDrawer = lazy(() => import('./nav-drawer.tsx').then((module) => ({ default: module.NavDrawer })))

export function Shell() {
  const { data: me } = useQuery(meQuery)
  return (
    <SettingsAccess value={me?.role === 'ADMIN'}>
      <Frame />
    </SettingsAccess>
  )
}

function Frame() {
  const t = useMessages(shellMessages)
  const main = useFocusOnNewPage()
  useLiveChannel()
  return (
    <div className={classes.shell}>
      <Toasts />
      <a href="#main" className={classes.skip}>
        {t('skip')}
      </a>
      <aside className={classes.side}>
        <div className={classes.brand}>
          <Logo size={24} />
          <strong>Panel</strong>
          <Bell />
        </div>
        <PaletteButton />
        <InSlices>
          <Nav />
          <LiveSign />
          <UserMenu />
        </InSlices>
      </aside>
      <TopBar />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <PartNotices />
        <StaleNotice />
        <Suspense fallback={<RowsSkeleton />}>
          <InSlices fallback={<RowsSkeleton />}>
            <Outlet />
          </InSlices>
        </Suspense>
        <div id="overlays" />
      </main>
      <SessionGate />
      <Preferences />
      <PaletteHost />
    </div>
  )
}

function TopBar() {
  const t = useMessages(shellMessages)
  const path = usePath()
  /** Path on which the drawer was opened; null: closed, undefined: never opened. */
  const [openAt, setOpenAt] = useState<string | null>()
  // Any navigation closes it.
  if (typeof openAt === 'string' && openAt !== path) setOpenAt(null)
  return (
    <>
      <nav className={classes.top} aria-label={t('top')}>
        <ActionIcon aria-label={t('open')} size={44} onClick={() => setOpenAt(path)}>
          <IconMenu2 size={22} aria-hidden />
        </ActionIcon>
        <Logo size={22} />
        <strong>Panel</strong>
        <LiveSign />
        <PaletteIcon />
        <Bell />
      </nav>
      {openAt !== undefined && (
        <Suspense fallback={null}>
          <NavDrawer isOpen={openAt === path} onClose={() => setOpenAt(null)} />
        </Suspense>
      )}
    </>
  )
}

const usePath = () => useRouterState({ select: (state) => state.location.pathname })

/** Moves focus to the new page for screen readers, except on the first page. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null)
  const path = usePath()
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    // A dialog over the page has the focus.
    if (document.activeElement?.closest('[role=dialog]')) return
    main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
