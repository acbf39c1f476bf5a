import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { projectNamesQuery } from '../projects/projects.queries.ts'
import { DomainStatus } from './domain-status.tsx'
import { domainMessages } from './domains.messages.ts'
import classes from './route-map.module.css'
import { routeOrder } from './route-order.ts'

/** Screen readers get a list “host points to project”; the lines are decoration. */
export function RouteMap({ domains }: { domains: readonly Schema<'Domain'>[] }) {
  const { data: projects = [] } = useQuery(projectNamesQuery)
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  return routeOrder(domains).map(([name, routes]) => (
    <section key={name} className={`${card.card} ${classes.zone}`} aria-label={name}>
      <h2>{name}</h2>
      <ol>
        {routes.map((domain) => (
          <Route
            key={domain.id}
            domain={domain}
            project={domain.projectId === null ? undefined : (names.get(domain.projectId) ?? '…')}
          />
        ))}
      </ol>
    </section>
  ))
}

function Route({ domain, project }: { domain: Schema<'Domain'>; project: string | undefined }) {
  const t = useMessages(domainMessages)
  const { id, hostname, pathPrefix, projectId, isWildcard, status } = domain
  const isActive = status === 'ACTIVE'
  return (
    <li className={classes.route} data-wild={isWildcard || undefined}>
      <Link to="/domains/$domainId" params={{ domainId: id }} className={classes.host!}>
        <CutName name={hostname} tail={18} />
        {pathPrefix !== null && <b>{pathPrefix}</b>}
      </Link>
      <span className={classes.line} data-open={isActive || undefined}>
        <VisuallyHidden>{t('routes.to')}</VisuallyHidden>
      </span>
      {projectId !== null && project !== undefined ? (
        <Link to="/projects/$projectId/domains" params={{ projectId }} className={classes.target!}>
          <CutName name={project} tail={8} />
        </Link>
      ) : (
        <span className={`${classes.target} ${classes.none}`}>{t('fact.project.none')}</span>
      )}
      {!isActive && <DomainStatus status={status} />}
    </li>
  )
}
