import type { Endpoint } from '../../infra/container-engine/container-engine.ts'
import type { Route, RouteTarget } from '../../infra/reverse-proxy/reverse-proxy.ts'
import type { ProjectFacts, RouteFacts } from './routes.repository.ts'

export function routeOf(facts: RouteFacts, endpoint: Endpoint | undefined): Route {
  return {
    hostname: facts.hostname,
    ...(facts.pathPrefix === null ? {} : { pathPrefix: facts.pathPrefix }),
    target:
      facts.project === null ? { kind: facts.isMailHost ? 'mail' : 'nothing' } : targetOf(facts.project, endpoint),
    forceHttps: facts.forceHttps,
    ...(facts.rules === null ? {} : { rules: facts.rules }),
    ...(facts.project === null ? {} : { site: facts.project.id })
  }
}

function targetOf(project: ProjectFacts, endpoint: Endpoint | undefined): RouteTarget {
  const { pool } = project
  if (project.status !== 'STOPPED' && project.isAsleep && endpoint) return { kind: 'sleeping', ...endpoint }
  if (project.status !== 'STOPPED' && pool) return { kind: 'pool', number: pool.number, isSticky: pool.isSticky }
  if (project.status !== 'STOPPED' && endpoint) return { kind: 'container', ...endpoint }
  return project.isDeploying ? { kind: 'starting' } : { kind: 'stopped' }
}
