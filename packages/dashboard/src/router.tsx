import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { dnsRecordRoutes } from './features/dns-records/dns-records.routes.ts'
import { domainRuleRoutes } from './features/domain-rules/domain-rules.routes.ts'
import { databaseRoutes, projectDatabaseRoutes } from './features/databases/databases.routes.ts'
import { fileRoutes } from './features/files/files.routes.ts'
import { monitoringRoutes, monitoringTabRoutes } from './features/monitoring/monitoring.routes.ts'
import { settingsRoute, settingsRoutes } from './features/settings/settings.routes.ts'
import { sftpRoutes } from './features/sftp/sftp.routes.ts'
import { accountRoute, accountTabRoutes } from './features/account/account.routes.ts'
import { securityRoutes } from './features/security/security.routes.ts'
import { notificationRoutes } from './features/notifications/notifications.routes.ts'
import { registriesRoute } from './features/registries/registries.routes.ts'
import { apiTokenRoutes } from './features/api-tokens/api-tokens.routes.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { domainRoute, domainRoutes, domainTabRoutes, projectDomainRoutes } from './features/domains/domains.routes.ts'
import { deviceLoginRoutes } from './features/device-logins/device-logins.routes.ts'
import { overviewRoutes } from './features/overview/overview.routes.ts'
import { projectRoute, projectRoutes, projectTabRoutes } from './features/projects/projects.routes.ts'
import { certificateRoutes } from './features/certificates/certificates.routes.ts'
import { containerRoutes } from './features/containers/containers.routes.ts'
import { deploymentRoutes } from './features/deployments/deployments.routes.ts'
import { wordpressRoutes } from './features/wordpress/wordpress.routes.ts'
import { tcpPortRoutes } from './features/tcp-ports/tcp-ports.routes.ts'
import { volumeRoutes } from './features/volumes/volumes.routes.ts'
import { processRoutes } from './features/processes/processes.routes.ts'
import { runRoutes } from './features/runs/runs.routes.ts'
import { terminalRoutes } from './features/terminals/terminals.routes.ts'
import { uptimeCheckRoutes } from './features/uptime-checks/uptime-checks.routes.ts'
import { variableGroupRoutes, variableGroupTabRoutes, variableRoutes } from './features/variables/variables.routes.ts'
import { machineRoutes } from './features/machines/machines.routes.ts'
import { mailboxRoute, mailboxTabRoutes, mailListRoutes, mailRoute } from './features/mailboxes/mailboxes.routes.ts'
import { mailAuthRoutes } from './features/mail-auth/mail-auth.routes.ts'
import { mailQueueRoutes } from './features/mail-queue/mail-queue.routes.ts'
import { deliveryLogRoutes } from './features/delivery-log/delivery-log.routes.ts'
import { ownUsageRoutes, userRoutes } from './features/users/users.routes.ts'
import { bansRoute } from './features/bans/bans.routes.ts'
import { firewallRoute, rulesRoute } from './features/firewall/firewall.routes.ts'
import { serverDiskRoutes } from './features/server-disk/server-disk.routes.ts'
import { explainRoutes } from './features/explain/explain.routes.ts'
import { backupRoutes, mailboxBackupRoutes, projectBackupRoutes } from './features/backups/backups.routes.ts'
import { auditRoutes } from './features/audit/audit.routes.ts'
import { welcomeRoutes } from './features/welcome/welcome.routes.ts'
import { notFoundRoute } from './routes/not-found.ts'
import { rootRoute } from './routes/root.tsx'
import { signedInRoute } from './routes/signed-in.ts'
import { ErrorState, NotFoundPage, RowsSkeleton } from './ui/states.tsx'

/** Pages of every feature. */
const routeTree = rootRoute.addChildren([
  ...authRoutes,
  signedInRoute.addChildren([
    ...overviewRoutes,
    ...deviceLoginRoutes,
    ...welcomeRoutes,
    ...projectRoutes,
    ...domainRoutes,
    ...databaseRoutes,
    ...sftpRoutes,
    mailRoute.addChildren([...mailListRoutes, ...mailQueueRoutes, ...deliveryLogRoutes]),
    mailboxRoute.addChildren([...mailboxTabRoutes, ...mailboxBackupRoutes]),
    ...userRoutes,
    ...auditRoutes,
    ...explainRoutes,
    firewallRoute.addChildren([rulesRoute, bansRoute]),
    ...machineRoutes,
    ...serverDiskRoutes,
    ...backupRoutes,
    ...variableGroupRoutes,
    ...monitoringRoutes,
    settingsRoute.addChildren([...settingsRoutes]),
    projectRoute.addChildren([
      ...projectTabRoutes,
      ...deploymentRoutes,
      ...containerRoutes,
      ...fileRoutes,
      ...wordpressRoutes,
      ...variableRoutes,
      ...monitoringTabRoutes,
      ...volumeRoutes,
      ...tcpPortRoutes,
      ...processRoutes,
      ...runRoutes,
      ...terminalRoutes,
      ...uptimeCheckRoutes,
      ...projectDomainRoutes,
      ...projectDatabaseRoutes,
      ...projectBackupRoutes
    ]),
    accountRoute.addChildren([
      ...accountTabRoutes,
      ...ownUsageRoutes,
      ...securityRoutes,
      ...apiTokenRoutes,
      registriesRoute,
      ...variableGroupTabRoutes,
      ...notificationRoutes
    ]),
    domainRoute.addChildren([
      ...domainTabRoutes,
      ...dnsRecordRoutes,
      ...certificateRoutes,
      ...domainRuleRoutes,
      ...mailAuthRoutes
    ]),
    notFoundRoute
  ])
])

export const makeRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    // The router's default shows skeletons for at least half a second, even if the page is ready earlier.
    defaultPendingMinMs: 0,
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
