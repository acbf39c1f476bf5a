import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { listPageActions, type PageAction } from '../features/palette/page-actions.ts'
import { useMessages } from '../i18n/i18n.tsx'
import { accountItems, ownItems, serverItems } from './nav-items.ts'
import { shellMessages } from './shell.messages.ts'
import classes from './shell.module.css'
import { useIsInNav } from './use-is-in-nav.ts'

const CommandPalette = lazy(() =>
  import('../features/palette/command-palette.tsx').then((module) => ({ default: module.CommandPalette }))
)

const openEvent = 'palette:open'
const openPalette = () => dispatchEvent(new Event(openEvent))

export function PaletteButton() {
  const t = useMessages(shellMessages)
  return (
    <UnstyledButton className={classes.search} aria-keyshortcuts="Control+K" onClick={openPalette}>
      <IconSearch size={16} aria-hidden />
      <span>{t('search')}</span>
      <kbd>Ctrl K</kbd>
    </UnstyledButton>
  )
}

export function PaletteIcon() {
  const t = useMessages(shellMessages)
  return (
    <ActionIcon aria-label={t('search')} size={44} className={classes.topSearch!} onClick={openPalette}>
      <IconSearch size={20} aria-hidden />
    </ActionIcon>
  )
}

type State = { isOpen: boolean; actions: readonly PageAction[] } | undefined

/** Loaded on first use. Reads the page’s actions when it opens. */
export function PaletteHost() {
  const [state, setState] = useState<State>()
  const pages = usePages()
  const isLeaving = useRef(false)
  const isWantedAgain = useRef(false)
  useEffect(() => {
    const open = () => {
      isWantedAgain.current = isLeaving.current
      // It would cover a dialog that is already open.
      if (document.querySelector('[role=dialog]') === null) setState({ isOpen: true, actions: listPageActions() })
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', onKey)
    addEventListener(openEvent, open)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener(openEvent, open)
    }
  }, [])
  if (state === undefined) return null
  return (
    <Suspense fallback={null}>
      <CommandPalette
        {...state}
        pages={pages}
        onClose={() => {
          isLeaving.current = true
          setState({ ...state, isOpen: false })
        }}
        onGone={() => {
          isLeaving.current = false
          // After the chosen action, which may open a dialog itself.
          if (isWantedAgain.current) setTimeout(openPalette)
        }}
      />
    </Suspense>
  )
}

function usePages() {
  const t = useMessages(shellMessages)
  const isShown = useIsInNav()
  return [...accountItems, ...serverItems, ...ownItems]
    .filter(isShown)
    .map(({ to, label }) => ({ to, label: t(label) }))
}
