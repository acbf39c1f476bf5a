import { useEffect } from 'react'
import { plainText } from './plain-text.ts'

/** Of the browser's tab; where there is none, it stays as it is. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${plainText(title)} · Panel`
  }, [title])
}
