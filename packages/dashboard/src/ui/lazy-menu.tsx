import { cloneElement, type ComponentType, type ReactElement, startTransition, Suspense, useState } from 'react'

export interface MenuParts {
  target: ReactElement
  onClose(): void
}

interface LazyMenuProps {
  target: ReactElement<{ ref?: unknown; onClick?: () => void; 'aria-haspopup'?: 'menu' }>
  body: ComponentType<MenuParts>
}

/**
 * Renders only a button until the first click: a menu is 30 kB and slows each table row. A menu mounted open does not
 * know its opener, so focus is restored here.
 */
export function LazyMenu({ target, body: Body }: LazyMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  // Shows the pressed state first; the menu renders as a transition.
  const open = () => startTransition(() => setWanted(true))
  const closed = cloneElement(target, { 'aria-haspopup': 'menu', onClick: open })
  if (!isWanted) return closed
  return (
    <Suspense fallback={closed}>
      <Body
        target={cloneElement(target, { ref: setButton })}
        onClose={() => requestAnimationFrame(() => button?.focus())}
      />
    </Suspense>
  )
}
