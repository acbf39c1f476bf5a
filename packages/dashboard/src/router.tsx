import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { dnsRecordRoutes } from './features/dns-records/dns-records.routes.ts'
import { databaseRoutes } from './features/databases/databases.routes.ts'
import { sftpRoutes } from './features/sftp/sftp.routes.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { domainRoute, domainRoutes, domainTabRoutes } from './features/domains/domains.routes.ts'
import { overviewRoutes } from './features/overview/overview.routes.ts'
import { projectRoute, projectRoutes, projectTabRoutes } from './features/projects/projects.routes.ts'
import { containerRoutes } from './features/containers/containers.routes.ts'
import { deploymentRoutes } from './features/deployments/deployments.routes.ts'
import { variableRoutes } from './features/variables/variables.routes.ts'
import { rootRoute } from './routes/root.ts'
import { signedInRoute } from './routes/signed-in.ts'
import { ErrorState, NotFoundPage, RowsSkeleton } from './ui/states.tsx'

/** Every feature's pages, by one line each. */
const routeTree = rootRoute.addChildren([
  ...authRoutes,
  signedInRoute.addChildren([
    ...overviewRoutes,
    ...projectRoutes,
    ...domainRoutes,
    ...databaseRoutes,
    ...sftpRoutes,
    domainRoute.addChildren([...domainTabRoutes, ...dnsRecordRoutes]),
    projectRoute.addChildren([...projectTabRoutes, ...deploymentRoutes, ...containerRoutes, ...variableRoutes])
  ])
])

export const makeRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: () => <RowsSkeleton />,
    defaultErrorComponent: ({ error, reset }) => <ErrorState isPage error={asError(error)} onRetry={reset} />,
    scrollRestoration: true
  })

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
