import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { DiskHistory } from './disk-history.tsx'
import { QuotaBars } from './quota-bars.tsx'
import { userMessages } from './users.messages.ts'

export function OwnUsageTab() {
  const t = useMessages(userMessages)
  const { data: me } = useQuery(meQuery)
  if (!me) return null
  return (
    <>
      <Section title={t('usage')} hint={t('usage.hint')}>
        <QuotaBars id={me.id} />
      </Section>
      <DiskHistory id={me.id} />
    </>
  )
}
