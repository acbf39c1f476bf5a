import { cloneElement, type ComponentType, type ReactElement, startTransition, Suspense, useState } from 'react'

export interface MenuParts {
  /** The button, for `Menu.Target`. */
  target: ReactElement
  onClose(): void
}

interface LazyMenuProps {
  target: ReactElement<{ ref?: unknown; onClick?: () => void; 'aria-haspopup'?: 'menu' }>
  /** Loaded with the first press. */
  body: ComponentType<MenuParts>
}

/**
 * A button until it is pressed for the first time: a menu is 30 kB, and costs time in each row of a table. One that is mounted open does
 * not know its opener, so the focus is given back here.
 */
export function LazyMenu({ target, body: Body }: LazyMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  // What is pressed looks so at once; the menu is drawn behind that.
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
