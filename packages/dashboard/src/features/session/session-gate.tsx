import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { onProofWanted, onSessionEnd } from '../../api/session.ts'
import { liveOf } from '../../live/live.ts'
import { meQuery } from '../auth/me.queries.ts'

const SessionDialog = lazy(() => import('./session-dialog.tsx').then((module) => ({ default: module.SessionDialog })))
const ProofDialog = lazy(() => import('./proof-dialog.tsx').then((module) => ({ default: module.ProofDialog })))

interface Request {
  me: Schema<'User'>
  resolve(isProved: boolean): void
}

/** Prompts for sign-in when any request finds the session ended, or to confirm the password. */
export function SessionGate() {
  const client = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const [ended, setEnded] = useState<Request>()
  const [wanted, setWanted] = useState<Request>()
  // The last known user, because the API no longer returns it after the session ends.
  const known = useRef(me)
  useEffect(() => {
    // Another account signed in from another tab: drop all cached data of this one.
    if (me && known.current && me.id !== known.current.id) {
      client.clear()
      location.assign('/')
    } else if (me) known.current = me
  }, [me, client])
  useEffect(() => {
    const promptWith = (show: (requested: Request) => void) => () =>
      known.current ? new Promise<boolean>((resolve) => show({ me: known.current!, resolve })) : Promise.resolve(false)
    onSessionEnd(promptWith(setEnded))
    onProofWanted(promptWith(setWanted))
    return () => {
      onSessionEnd(undefined)
      onProofWanted(undefined)
    }
  }, [])
  const onSignedIn = (isSignedIn: boolean) => {
    setEnded(undefined)
    ended?.resolve(isSignedIn)
    if (isSignedIn) liveOf(client).retry()
    // Leave the page, so that no data of the account stays visible.
    if (!isSignedIn) location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
  }
  const onProved = (isProved: boolean) => {
    setWanted(undefined)
    wanted?.resolve(isProved)
  }
  return (
    <Suspense fallback={null}>
      {wanted && <ProofDialog me={wanted.me} onDone={onProved} />}
      {ended && <SessionDialog me={ended.me} onDone={onSignedIn} />}
    </Suspense>
  )
}
