import { useEffect, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { authMessages } from './auth.messages.ts'

export function AuthError({ error }: { error: Error | null }) {
  const wait = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0
  if (!error) return null
  return (
    <Notice tone="bad">
      {error.message} {wait > 0 && <Countdown error={error} seconds={wait} />}
    </Notice>
  )
}

function Countdown({ error, seconds }: { error: Error; seconds: number }) {
  const t = useMessages(authMessages)
  const [of, setOf] = useState(error)
  const [left, setLeft] = useState(seconds)
  if (of !== error) {
    setOf(error)
    setLeft(seconds)
  }
  useEffect(() => {
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return left > 0 && t('wait', { seconds: left })
}
