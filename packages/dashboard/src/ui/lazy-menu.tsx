import { cloneElement, type ReactElement, type ReactNode, Suspense, useRef, useState } from 'react'

export interface MenuParts {
  /** The button, for `Menu.Target`. */
  target: ReactElement<{ ref?: unknown }>
  onClose(): void
}

type ButtonProps = { ref?: unknown; onClick?: () => void; 'aria-haspopup'?: 'menu' }

/**
 * A button until it is pressed for the first time: a menu is 30 kB, and costs time in each row of a table. One that is mounted open does
 * not know its opener, so the focus is given back here.
 */
export function LazyMenu({ target, body }: { target: ReactElement<ButtonProps>; body(menu: MenuParts): ReactNode }) {
  const [isWanted, setWanted] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const closed = cloneElement(target, { 'aria-haspopup': 'menu', onClick: () => setWanted(true) })
  if (!isWanted) return closed
  const onClose = () => requestAnimationFrame(() => button.current?.focus())
  return <Suspense fallback={closed}>{body({ target: cloneElement(target, { ref: button }), onClose })}</Suspense>
}
