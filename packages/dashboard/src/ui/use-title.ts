import { useEffect } from 'react'

/** Of the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Panel`
  }, [title])
}
