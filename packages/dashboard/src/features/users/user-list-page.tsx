import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { NoAccess } from '../../ui/no-access.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { UserList } from './user-list.tsx'
import { userMessages } from './users.messages.ts'

export function UserListPage() {
  const t = useMessages(userMessages)
  const search = useSearch({ from: '/signed-in/server/users' })
  const { data: me } = useQuery(meQuery)
  if (me?.role !== 'ADMIN') return <NoAccess hint={t('noAccess')} />
  return <UserList area="users" search={search} />
}
