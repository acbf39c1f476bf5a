import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

const shownMs = 1_500

export function useCopied(): { isCopied: boolean; copy(text: string): void } {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  return { isCopied, copy: (text) => void copyText(text).then(setCopied) }
}
