import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { OrderFilter } from '../../ui/order-filter.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { mailboxMessages } from './mailboxes.messages.ts'
import { mailDomainsQuery } from './mail-domains.queries.ts'
import { mailOrders, type MailSearch } from './mailboxes.queries.ts'

interface MailToolbarProps {
  to: '/mail' | '/mail/aliases'
  search: MailSearch
  children?: ReactNode
}

export function MailToolbar({ to, search: { q, domain, order }, children }: MailToolbarProps) {
  const t = useMessages(mailboxMessages)
  const navigate = useNavigate()
  const { data: domains = [] } = useQuery(mailDomainsQuery)
  const set = (changed: MailSearch) => void navigate({ to, search: { q, domain, order, ...changed }, replace: true })
  return (
    <div className={card.toolbar}>
      <SearchBox label={t('search')} />
      {domains.length > 1 && (
        <NativeSelect
          aria-label={t('domain')}
          value={domain ?? ''}
          data={[{ value: '', label: t('domain.all') }, ...domains.map(({ id, hostname }) => ({ value: id, label: hostname }))]} // oxfmt-ignore
          onChange={({ target }) => set({ domain: target.value || undefined })}
        />
      )}
      <OrderFilter orders={mailOrders} selected={order} />
      <span className={card.push} />
      {children}
    </div>
  )
}
