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

/** Asks for the password when a request meets the end of the session, wherever that was, or wants it once more. */
export function SessionGate() {
  const client = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const [ended, setEnded] = useState<Request>()
  const [wanted, setWanted] = useState<Request>()
  // Who it was: when the session has ended, the server does not say any more.
  const known = useRef(me)
  useEffect(() => {
    // Somebody else has signed in, in another tab: what is here is not theirs to see.
    if (me && known.current && me.id !== known.current.id) {
      client.clear()
      location.assign('/')
    } else if (me) known.current = me
  }, [me, client])
  useEffect(() => {
    const askBy = (show: (requested: Request) => void) => () =>
      known.current ? new Promise<boolean>((resolve) => show({ me: known.current!, resolve })) : Promise.resolve(false)
    onSessionEnd(askBy(setEnded))
    onProofWanted(askBy(setWanted))
    return () => {
      onSessionEnd(undefined)
      onProofWanted(undefined)
    }
  }, [])
  const onSignedIn = (isSignedIn: boolean) => {
    setEnded(undefined)
    ended?.resolve(isSignedIn)
    if (isSignedIn) liveOf(client).retry()
    // Whoever will not sign in again sees nothing of the account any more; the way back is kept.
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
