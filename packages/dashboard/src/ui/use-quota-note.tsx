import { type ComponentType, lazy, type MouseEvent, type ReactNode, Suspense, useState } from 'react'
import type { QuotaFigures } from './quota-note.tsx'

const QuotaNote: ComponentType<QuotaFigures & { onClose(): void }> = lazy(() =>
  import('./quota-note.tsx').then((module) => ({ default: module.QuotaNote }))
)

/**
 * Before something is made of which an account may have so many: where they are used up, the button opens a note with the figures, and whom
 * to ask. `figures` are undefined while nobody knows them; the server says it then.
 */
export function useQuotaNote(figures: { used: number; limit: number | null } | undefined): {
  /** To be called when the button is pressed, with what it does; also of a link, which is not followed then. */
  ask(event: MouseEvent, make?: () => void): void
  note: ReactNode
} {
  const [isOpen, setOpen] = useState(false)
  const limit = figures?.limit ?? null
  const isFull = figures !== undefined && limit !== null && figures.used >= limit
  return {
    ask(event, make) {
      if (!isFull) return make?.()
      event.preventDefault()
      setOpen(true)
    },
    note: isOpen && figures && limit !== null && (
      <Suspense fallback={null}>
        <QuotaNote used={figures.used} limit={limit} onClose={() => setOpen(false)} />
      </Suspense>
    )
  }
}
