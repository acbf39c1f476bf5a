import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Filter } from '../../ui/filter.tsx'
import { useSearchText } from '../../ui/use-search-text.ts'
import { userMessages } from './users.messages.ts'
import { accountOrders, accountStates, roles, type UserSearch } from './users.queries.ts'

export function UserToolbar({
  search: { q, role, state, order },
  withRoles
}: {
  search: UserSearch
  withRoles: boolean
}) {
  const t = useMessages(userMessages)
  const navigate = useNavigate()
  const setSearch = useSearchText(
    (text) =>
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({ ...before, page: undefined, q: text || undefined }),
        replace: true
      })
  )
  return (
    <div className={card.toolbar}>
      <TextInput
        className={card.search!}
        aria-label={t('search')}
        placeholder={t('search')}
        defaultValue={q ?? ''}
        maxLength={100}
        onChange={({ target }) => setSearch(target.value)}
        leftSection={<IconSearch size={16} aria-hidden />}
      />
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
