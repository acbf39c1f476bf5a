import type { QueueName } from '../worker/jobs.ts'
import { accountRestores } from './account-restores/account-restores.module.ts'
import { apiTokens } from './api-tokens/api-tokens.module.ts'
import { deviceLogins } from './device-logins/device-logins.module.ts'
import { audit } from './audit/audit.module.ts'
import { auth } from './auth/auth.module.ts'
import { bans } from './bans/bans.module.ts'
import { backupDrills } from './backup-drills/backup-drills.module.ts'
import { backups } from './backups/backups.module.ts'
import { builds } from './builds/builds.module.ts'
import { certificates } from './certificates/certificates.module.ts'
import { commitStatus } from './commit-status/commit-status.module.ts'
import { containerDisk } from './container-disk/container-disk.module.ts'
import { containerMemory } from './container-memory/container-memory.module.ts'
import { containers } from './containers/containers.module.ts'
import { databases } from './databases/databases.module.ts'
import { deliveryTests } from './delivery-tests/delivery-tests.module.ts'
import { deployments } from './deployments/deployments.module.ts'
import { deliveryLog } from './delivery-log/delivery-log.module.ts'
import { diskUsage } from './disk-usage/disk-usage.module.ts'
import { dnsRecords } from './dns-records/dns-records.module.ts'
import { dnsZones } from './dns-zones/dns-zones.module.ts'
import { domains } from './domains/domains.module.ts'
import { envVars } from './env-vars/env-vars.module.ts'
import { explain } from './explain/explain.module.ts'
import type { Feature } from './feature.ts'
import { queuesOf } from './feature-queues.ts'
import { figures } from './figures/figures.module.ts'
import { files } from './files/files.module.ts'
import { firewall } from './firewall/firewall.module.ts'
import { imageUpdates } from './image-updates/image-updates.module.ts'
import { git } from './git/git.module.ts'
import { instanceHealth } from './instance-health/instance-health.module.ts'
import { mailAuth } from './mail-auth/mail-auth.module.ts'
import { mailCertificates } from './mail-certificates/mail-certificates.module.ts'
import { mailLimits } from './mail-limits/mail-limits.module.ts'
import { mailClients } from './mail-clients/mail-clients.module.ts'
import { mailQueue } from './mail-queue/mail-queue.module.ts'
import { mailReports } from './mail-reports/mail-reports.module.ts'
import { mailboxMoves } from './mailbox-moves/mailbox-moves.module.ts'
import { mailSpam } from './mail-spam/mail-spam.module.ts'
import { mailboxes } from './mailboxes/mailboxes.module.ts'
import { monitoring } from './monitoring/monitoring.module.ts'
import { networks } from './networks/networks.module.ts'
import { nodes } from './nodes/nodes.module.ts'
import { notifications } from './notifications/notifications.module.ts'
import { overview } from './overview/overview.module.ts'
import { passwordReset } from './password-reset/password-reset.module.ts'
import { processes } from './processes/processes.module.ts'
import { projects } from './projects/projects.module.ts'
import { pushes } from './pushes/pushes.module.ts'
import { quotaAlerts } from './quota-alerts/quota-alerts.module.ts'
import { registries } from './registries/registries.module.ts'
import { runs } from './runs/runs.module.ts'
import { terminals } from './terminals/terminals.module.ts'
import { search } from './search/search.module.ts'
import { serverDisk } from './server-disk/server-disk.module.ts'
import { sessions } from './sessions/sessions.module.ts'
import { snapshots } from './snapshots/snapshots.module.ts'
import { machineUpgrades } from './machine-upgrades/machine-upgrades.module.ts'
import { sourceUploads } from './source-uploads/source-uploads.module.ts'
import { settings } from './settings/settings.module.ts'
import { sleep } from './sleep/sleep.module.ts'
import { sftp } from './sftp/sftp.module.ts'
import { signInPlaces } from './sign-in-places/sign-in-places.module.ts'
import { system } from './system/system.module.ts'
import { tcpPorts } from './tcp-ports/tcp-ports.module.ts'
import { traffic } from './traffic/traffic.module.ts'
import { twoFactor } from './two-factor/two-factor.module.ts'
import { statusPages } from './status-pages/status-pages.module.ts'
import { uptimeChecks } from './uptime-checks/uptime-checks.module.ts'
import { updates } from './updates/updates.module.ts'
import { users } from './users/users.module.ts'
import { volumes } from './volumes/volumes.module.ts'
import { webmail } from './webmail/webmail.module.ts'
import { wordpressCare } from './wordpress-care/wordpress-care.module.ts'
import { wordpress } from './wordpress/wordpress.module.ts'

const modules = [
  audit,
  sessions,
  users,
  notifications,
  diskUsage,
  quotaAlerts,
  signInPlaces,
  twoFactor,
  apiTokens,
  deviceLogins,
  passwordReset,
  auth,
  nodes,
  projects,
  envVars,
  git,
  domains,
  tcpPorts,
  dnsZones,
  dnsRecords,
  certificates,
  mailCertificates,
  mailboxes,
  mailLimits,
  mailClients,
  mailboxMoves,
  mailAuth,
  mailSpam,
  mailQueue,
  webmail,
  deliveryLog,
  mailReports,
  deliveryTests,
  networks,
  containers,
  files,
  volumes,
  snapshots,
  registries,
  builds,
  deployments,
  machineUpgrades,
  imageUpdates,
  sourceUploads,
  pushes,
  commitStatus,
  containerDisk,
  instanceHealth,
  runs,
  terminals,
  traffic,
  sleep,
  databases,
  sftp,
  wordpress,
  wordpressCare,
  backups,
  accountRestores,
  backupDrills,
  monitoring,
  processes,
  containerMemory,
  figures,
  uptimeChecks,
  statusPages,
  settings,
  firewall,
  bans,
  serverDisk,
  explain,
  updates,
  system,
  overview,
  search
] as const

/** All features, in dependency order: each may build only on those before it. */
export const features: readonly Feature[] = modules
/** All queues. A queue that is declared but not handled, or the reverse, is a type error here. */
export const queueNames: readonly QueueName[] = queuesOf(modules)
