import type { ComponentProps, ReactNode } from 'react'
import classes from './icon-button.module.css'

type IconButtonProps = { label: string; children: ReactNode } & Omit<
  ComponentProps<'button'>,
  'aria-label' | 'children' | 'className'
>

export function IconButton({ label, children, ...others }: IconButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} className={classes.button} {...others}>
      {children}
    </button>
  )
}
