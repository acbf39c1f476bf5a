import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { knownTimeOf } from '../../live/known-time.ts'
import { meQuery } from './me.queries.ts'

/** What follows when somebody has signed in: nothing of whoever was there before is left, and the page that was wanted opens. */
export function useSignedIn(next: string | undefined): (user: Schema<'User'>, first?: string) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (user, first) => {
    client.clear()
    knownTimeOf(client).begin()
    client.setQueryData(meQuery.queryKey, user)
    void navigate({ to: next ?? first ?? '/', replace: true })
  }
}
