import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { onSessionEnd } from '../../api/session.ts'
import { meQuery } from '../auth/me.queries.ts'

const SessionDialog = lazy(() => import('./session-dialog.tsx').then((module) => ({ default: module.SessionDialog })))

interface Asked {
  me: Schema<'User'>
  resolve(isSignedIn: boolean): void
}

/** Asks for the password when a request meets the end of the session, wherever that was. */
export function SessionGate() {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    onSessionEnd(() => {
      const me = client.getQueryData(meQuery.queryKey)
      return me ? new Promise((resolve) => setAsked({ me, resolve })) : Promise.resolve(false)
    })
    return () => onSessionEnd(undefined)
  }, [client])
  if (!asked) return null
  const onDone = (isSignedIn: boolean) => {
    setAsked(undefined)
    asked.resolve(isSignedIn)
    // Whoever will not sign in again sees nothing of the account any more; the way back is kept.
    if (!isSignedIn) location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
  }
  return (
    <Suspense fallback={null}>
      <SessionDialog me={asked.me} onDone={onDone} />
    </Suspense>
  )
}
