import type { ReactNode } from 'react'
import card from './card.module.css'

/** Scrolls sideways where the screen is narrower than its content. Focusable, so that the keyboard can scroll it (WCAG 2.1.1). */
export const ScrollRegion = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={card.scroll} tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
)
