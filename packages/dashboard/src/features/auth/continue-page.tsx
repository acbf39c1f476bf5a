import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthCard } from './auth-card.tsx'
import { authMessages } from './auth.messages.ts'
import { useFragment } from './fragment.ts'
import { meQuery } from './me.queries.ts'

/** Where a session continues when the panel has got its domain. */
export function ContinuePage() {
  const t = useMessages(authMessages)
  const token = useFragment()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { isSuccess, error } = useQuery({
    queryKey: ['session', 'take'],
    staleTime: Infinity,
    retry: false,
    queryFn: () => data(api.POST('/api/auth/session/take', { body: { token } }))
  })
  useEffect(() => {
    if (!isSuccess) return
    void client.resetQueries({ queryKey: meQuery.queryKey }).then(() => navigate({ to: '/welcome', replace: true }))
  }, [isSuccess, client, navigate])
  return (
    <AuthCard title={t('continue.title')} hint={t('continue.hint')} links={<Link to="/login">{t('toSignIn')}</Link>}>
      {error && <Notice tone="bad">{error.message}</Notice>}
    </AuthCard>
  )
}
