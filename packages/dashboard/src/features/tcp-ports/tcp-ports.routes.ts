import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../projects/projects.routes.ts'
import { tcpPortsQuery } from './tcp-ports.queries.ts'

const tcpPorts = createRoute({
  getParentRoute: () => projectRoute,
  path: 'tcp-ports',
  loader: ({ context: { queryClient }, params: { projectId } }) =>
    void queryClient.prefetchQuery(tcpPortsQuery(projectId)),
  component: lazyRouteComponent(() => import('./tcp-ports-tab.tsx'), 'TcpPortsTab')
})

export const tcpPortRoutes = [tcpPorts] as const
