import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Filter } from '../../ui/filter.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { userMessages } from './users.messages.ts'
import { accountOrders, accountStates, roles, type UserSearch } from './users.queries.ts'

export function UserToolbar({ search: { role, state, order }, withRoles }: { search: UserSearch; withRoles: boolean }) {
  const t = useMessages(userMessages)
  return (
    <div className={card.toolbar}>
      <SearchBox label={t('search')} />
      {withRoles && (
        <Filter
          label={t('role')}
          name="role"
          options={[{ value: 'all', label: t('all') }, ...roles.map((value) => ({ value, label: t(`role.${value}`) }))]}
          selected={role ?? 'all'}
        />
      )}
      <Filter
        label={t('state')}
        name="state"
        options={[
          { value: 'all', label: t('all') },
          ...accountStates.map((value) => ({ value, label: t(`state.${value}`) }))
        ]}
        selected={state ?? 'all'}
      />
      <Filter
        label={t('order')}
        name="order"
        options={accountOrders.map((value) => ({ value, label: t(`order.${value}`) }))}
        selected={order ?? 'disk'}
      />
    </div>
  )
}
