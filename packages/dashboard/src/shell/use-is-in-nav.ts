import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../features/auth/me.queries.ts'
import { usageQuery } from '../features/overview/overview.queries.ts'
import { healthQuery } from '../features/system/health.queries.ts'
import { isInNav, type NavItem } from './nav-items.ts'

/** Which pages there are for who is signed in, on this server. */
export function useIsInNav(): (item: NavItem) => boolean {
  const { data: me } = useQuery(meQuery)
  const { data: health } = useQuery(healthQuery)
  // Of who may have none of something, whether there is some all the same; of others it makes no difference.
  const { data: usage } = useQuery({ ...usageQuery, enabled: me != null && Object.values(me).includes(0) })
  return (item) => isInNav(item, { me, health, usage })
}
