import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../features/auth/me.queries.ts'
import { usageQuery } from '../features/overview/overview.queries.ts'
import { healthQuery } from '../features/system/health.queries.ts'
import { isInNav, type NavItem } from './nav-items.ts'

export function useIsInNav(): (item: NavItem) => boolean {
  const { data: me } = useQuery(meQuery)
  const { data: health } = useQuery(healthQuery)
  // Usage only matters for quotas of 0.
  const { data: usage } = useQuery({ ...usageQuery, enabled: me != null && Object.values(me).includes(0) })
  return (item) => isInNav(item, { me, health, usage })
}
