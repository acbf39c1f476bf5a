import type { Route, RouteTarget } from '../../infra/reverse-proxy/reverse-proxy.ts'
import type { HostnameFacts } from './host-names.repository.ts'

/** Where a host name goes. `addressOf` gives the address that belongs to a slot. */
export function routeOf(facts: HostnameFacts, addressOf: (slotPort: number) => string): Route {
  return { hostname: facts.hostname, target: targetOf(facts, addressOf), forceHttps: false }
}

function targetOf(facts: HostnameFacts, addressOf: (slotPort: number) => string): RouteTarget {
  const { slotPort, containerPort } = facts
  if (facts.projectStatus !== 'STOPPED' && slotPort !== null && containerPort !== null) {
    return { kind: 'container', address: addressOf(slotPort), port: containerPort }
  }
  return facts.isDeploying ? { kind: 'starting' } : { kind: 'stopped' }
}
