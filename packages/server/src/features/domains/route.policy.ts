import type { Route, RouteTarget } from '../../infra/reverse-proxy/reverse-proxy.ts'
import type { ProjectFacts, RouteFacts } from './routes.repository.ts'

/** Where requests of a route go. `addressOf` gives the address that belongs to a slot. */
export function routeOf(facts: RouteFacts, addressOf: (slotPort: number) => string): Route {
  return {
    hostname: facts.hostname,
    ...(facts.pathPrefix === null ? {} : { pathPrefix: facts.pathPrefix }),
    target: facts.project === null ? { kind: 'nothing' } : targetOf(facts.project, addressOf),
    forceHttps: facts.forceHttps
  }
}

function targetOf(project: ProjectFacts, addressOf: (slotPort: number) => string): RouteTarget {
  const { status, slotPort, containerPort } = project
  if (status !== 'STOPPED' && slotPort !== null && containerPort !== null) {
    return { kind: 'container', address: addressOf(slotPort), port: containerPort }
  }
  return project.isDeploying ? { kind: 'starting' } : { kind: 'stopped' }
}
