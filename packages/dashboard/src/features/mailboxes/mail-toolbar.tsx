import { NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { useSearchText } from '../../ui/use-search-text.ts'
import { mailboxMessages } from './mailboxes.messages.ts'
import { mailDomainsQuery, type MailSearch } from './mailboxes.queries.ts'

interface MailToolbarProps {
  to: '/mail' | '/mail/aliases'
  search: MailSearch
  /** The act of the page, at the end. */
  children?: ReactNode
}

/** Search of addresses, and of one domain where there are several. */
export function MailToolbar({ to, search: { q, domain }, children }: MailToolbarProps) {
  const t = useMessages(mailboxMessages)
  const navigate = useNavigate()
  const { data: domains = [] } = useQuery(mailDomainsQuery)
  const set = (changed: MailSearch) => void navigate({ to, search: { q, domain, ...changed }, replace: true })
  const setSearch = useSearchText((text) => set({ q: text || undefined }))
  return (
    <div className={card.toolbar}>
      <TextInput
        className={card.search!}
        aria-label={t('search')}
        placeholder={t('search')}
        defaultValue={q ?? ''}
        onChange={({ target }) => setSearch(target.value)}
        leftSection={<IconSearch size={16} aria-hidden />}
      />
      {domains.length > 1 && (
        <NativeSelect
          aria-label={t('domain')}
          value={domain ?? ''}
          data={[{ value: '', label: t('domain.all') }, ...domains.map(({ id, hostname }) => ({ value: id, label: hostname }))]} // prettier-ignore
          onChange={({ target }) => set({ domain: target.value || undefined })}
        />
      )}
      <span className={card.push} />
      {children}
    </div>
  )
}
