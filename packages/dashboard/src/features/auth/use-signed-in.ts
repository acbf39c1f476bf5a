import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { knownTimeOf } from '../../live/known-time.ts'
import { meQuery } from './me.queries.ts'

/** Clears the previous user’s data and opens the requested page. */
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
