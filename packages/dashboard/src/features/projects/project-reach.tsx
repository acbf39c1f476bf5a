import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { routesQuery } from '../domains/domains.queries.ts'
import { OverviewBlock } from './overview-block.tsx'
import classes from './project-overview.module.css'
import { projectMessages } from './projects.messages.ts'

const tones: Record<Schema<'Domain'>['status'], Tone> = { PENDING: 'warn', ACTIVE: 'ok', ERROR: 'bad' }
const shown = 5

export function ProjectDomains({ projectId }: { projectId: string }) {
  const t = useMessages(projectMessages)
  const query = useQuery(routesQuery({ projectId }))
  const all = (
    <Link to="/projects/$projectId/domains" params={{ projectId }}>
      {t('domains.all')}
    </Link>
  )
  return (
    <OverviewBlock title={t('tab.domains')} more={all} query={query}>
      {({ items, total }) =>
        total === 0 ? (
          <p>{t('domains.none')}</p>
        ) : (
          <>
            <ul className={classes.rows}>
              {items.slice(0, shown).map(({ id, hostname, pathPrefix, status }) => (
                <li key={id}>
                  <Link to="/domains/$domainId" params={{ domainId: id }} className={classes.name}>
                    <CutName name={`${hostname}${pathPrefix ?? ''}`} tail={14} />
                  </Link>
                  <StatusBadge tone={tones[status]}>{t(`domain.${status}`)}</StatusBadge>
                </li>
              ))}
            </ul>
            {total > shown && <p className={classes.sub}>{t('domains.more', { count: total - shown })}</p>}
          </>
        )
      }
    </OverviewBlock>
  )
}
