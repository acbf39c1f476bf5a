import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { NoAccess } from '../../ui/no-access.tsx'
import { Section } from '../../ui/section.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { QuotaBars } from './quota-bars.tsx'
import { UserList } from './user-list.tsx'
import { userMessages } from './users.messages.ts'
import { hasCustomers } from './users.queries.ts'

export function CustomerListPage() {
  const t = useMessages(userMessages)
  const search = useSearch({ from: '/signed-in/customers' })
  const { data: me } = useQuery(meQuery)
  if (!me || (!hasCustomers(me) && me.role !== 'ADMIN')) return <NoAccess hint={t('noCustomers')} />
  return (
    <UserList area="customers" search={{ ...search, below: me.id }}>
      <Section title={t('allocation')} hint={t('allocation.hint')}>
        <QuotaBars id={me.id} />
      </Section>
    </UserList>
  )
}
