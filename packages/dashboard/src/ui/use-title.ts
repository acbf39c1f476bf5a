import { useEffect } from 'react'

/** Of the browser's tab; where there is none, it stays as it is. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Panel`
  }, [title])
}
