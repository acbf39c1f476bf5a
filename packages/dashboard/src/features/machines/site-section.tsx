import { IconArrowRight } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Section } from '../../ui/section.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { EmptyState } from '../../ui/states.tsx'
import cells from '../../ui/table-cells.module.css'
import { machineMessages } from './machines.messages.ts'
import { type Machine, type MachineSite, mayMove } from './machines.queries.ts'

const MoveSite = lazy(() => import('./move-site.tsx').then((module) => ({ default: module.MoveSite })))

interface SiteSectionProps {
  sites: readonly MachineSite[]
  pagination: Schema<'Pagination'>
  /** To which a site can move. */
  targets: readonly Machine[]
}

export function SiteSection({ sites, pagination, targets }: SiteSectionProps) {
  const t = useMessages(machineMessages)
  const [moving, setMoving] = useState<MachineSite>()
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
              {targets.length > 0 && <td />}
            </tr>
          </thead>
          <tbody>
            {sites.map((site) => (
              <tr key={site.projectId}>
                <td>
                  <Foreign>{site.name}</Foreign>
                </td>
                <td data-label={t('account')}>
                  <Foreign>{site.owner}</Foreign>
                </td>
                <td className={card.end} data-label={t('containers')}>
                  {site.instances}
                </td>
                <td data-label={t('why')}>
                  <SentenceText by={{ placement: machineMessages }} sentences={site.placement.sentences}>
                    {site.placement.message}
                  </SentenceText>
                </td>
                {targets.length > 0 && (
                  <td className={cells.acts}>
                    {mayMove(site) && (
                      <IconButton label={t('move', { name: shownName(site.name) })} onClick={() => setMoving(site)}>
                        <IconArrowRight size={16} aria-hidden />
                      </IconButton>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pagination {...pagination} />
      <Suspense fallback={null}>
        {moving && targets.length > 0 && (
          <MoveSite site={moving} machines={targets} onClose={() => setMoving(undefined)} />
        )}
      </Suspense>
    </Section>
  )
}
