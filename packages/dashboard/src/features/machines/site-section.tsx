import { useMessages } from '../../i18n/i18n.tsx'
import type { Schema } from '../../api/client.ts'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Section } from '../../ui/section.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { machineMessages } from './machines.messages.ts'
import type { MachineSite } from './machines.queries.ts'

interface SiteSectionProps {
  sites: readonly MachineSite[]
  pagination: Schema<'Pagination'>
}

export function SiteSection({ sites, pagination }: SiteSectionProps) {
  const t = useMessages(machineMessages)
  return (
    <Section title={t('sites')}>
      {sites.length === 0 ? (
        <EmptyState title={t('sites.none')} />
      ) : (
        <table className={`${card.table} ${card.cards}`}>
          <thead>
            <tr>
              <th scope="col">{t('site')}</th>
              <th scope="col">{t('account')}</th>
              <th scope="col" className={card.end}>
                {t('containers')}
              </th>
              <th scope="col">{t('why')}</th>
            </tr>
          </thead>
          <tbody>
            {sites.map(({ projectId, name, owner, instances, placement }) => (
              <tr key={projectId}>
                <td>
                  <Foreign>{name}</Foreign>
                </td>
                <td data-label={t('account')}>
                  <Foreign>{owner}</Foreign>
                </td>
                <td className={card.end} data-label={t('containers')}>
                  {instances}
                </td>
                <td data-label={t('why')}>
                  <SentenceText by={{ placement: machineMessages }} sentences={placement.sentences}>
                    {placement.message}
                  </SentenceText>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pagination {...pagination} />
    </Section>
  )
}
