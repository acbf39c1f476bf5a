import { useEffect, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { authMessages } from './auth.messages.ts'

/** What was refused; where one has to wait, it counts down. */
export function AuthError({ error }: { error: Error | null }) {
  const t = useMessages(authMessages)
  const wait = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0
  const left = useCountdown(wait, error)
  if (!error) return null
  return <Notice tone="bad">{left > 0 ? t('wait', { count: left }) : error.message}</Notice>
}

function useCountdown(seconds: number, since: unknown): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    setLeft(seconds)
    if (seconds === 0) return undefined
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000)
    return () => clearInterval(timer)
  }, [seconds, since])
  return left
}
