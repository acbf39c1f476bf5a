import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { domainRoute } from '../domains/domains.routes.ts'
import { certificateQuery } from './certificates.queries.ts'

const certificate = createRoute({
  getParentRoute: () => domainRoute,
  path: 'certificate',
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(certificateQuery(params.domainId)),
  component: lazyRouteComponent(() => import('./certificate-tab.tsx'), 'CertificateTab')
})

export const certificateRoutes = [certificate] as const
