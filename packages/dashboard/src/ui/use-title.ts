import { useEffect } from 'react'
import { plainText } from './plain-text.ts'

export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${plainText(title)} · Panel`
  }, [title])
}
