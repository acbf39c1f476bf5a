import { feature } from '../feature.ts'
import { countTcpPorts, deleteTcpPortsOf } from './tcp-ports.repository.ts'
import { tcpPortRoutes } from './tcp-ports.routes.ts'
import { getOwnTcpPort } from './tcp-ports.service.ts'

/** The proxy gets them with the routes (features/domains/tcp-routing.service.ts). */
export const tcpPorts = feature({
  name: 'tcp-ports',
  routes: [tcpPortRoutes],
  owners: {
    '/api/projects/:id/tcp-ports/:portId': ({ db }, userId, { id, portId }) => getOwnTcpPort(db, userId, id!, portId!)
  },
  quotas: { maxTcpPorts: { noun: 'published TCP ports', count: countTcpPorts } },
  project: { deleted: async (_deps, trx, { id }) => deleteTcpPortsOf(trx, id) }
})
