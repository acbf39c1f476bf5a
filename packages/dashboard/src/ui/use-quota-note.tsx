import { type ComponentType, lazy, type ReactNode, Suspense, type SyntheticEvent, useState } from 'react'
import type { QuotaFigures } from './quota-note.tsx'

const QuotaNote: ComponentType<QuotaFigures & { onClose(): void }> = lazy(() =>
  import('./quota-note.tsx').then((module) => ({ default: module.QuotaNote }))
)

/**
 * Opens a note with the figures if the quota is used up. While `figures` are undefined, the action runs and the server
 * decides.
 */
export function useQuotaNote(figures: { used: number; limit: number | null } | undefined): {
  /** Call from onClick or onSubmit, with the action. Prevents links from being followed. */
  ask(event: SyntheticEvent, make?: () => void): void
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
