import * as accountRestores from '@panel/contract/account-restores'
import * as accounts from '@panel/contract/accounts'
import * as apiTokens from '@panel/contract/api-tokens'
import * as audit from '@panel/contract/audit'
import * as auth from '@panel/contract/auth'
import * as backupDrills from '@panel/contract/backup-drills'
import * as backupSchedule from '@panel/contract/backup-schedule'
import * as backups from '@panel/contract/backups'
import * as bans from '@panel/contract/bans'
import * as certificates from '@panel/contract/certificates'
import * as commitStatus from '@panel/contract/commit-status'
import * as common from '@panel/contract/common'
import * as databases from '@panel/contract/databases'
import * as deliveryLog from '@panel/contract/delivery-log'
import * as deliveryTests from '@panel/contract/delivery-tests'
import * as deployRules from '@panel/contract/deploy-rules'
import * as deployments from '@panel/contract/deployments'
import * as detection from '@panel/contract/detection'
import * as deviceLogins from '@panel/contract/device-logins'
import * as diskUsage from '@panel/contract/disk-usage'
import * as dkimKeys from '@panel/contract/dkim-keys'
import * as dnsRecords from '@panel/contract/dns-records'
import * as domainRules from '@panel/contract/domain-rules'
import * as domains from '@panel/contract/domains'
import * as envVars from '@panel/contract/env-vars'
import * as errors from '@panel/contract/errors'
import * as explain from '@panel/contract/explain'
import * as figures from '@panel/contract/figures'
import * as files from '@panel/contract/files'
import * as firewall from '@panel/contract/firewall'
import * as git from '@panel/contract/git'
import * as healthChecks from '@panel/contract/health-checks'
import * as imageReferences from '@panel/contract/image-references'
import * as live from '@panel/contract/live'
import * as mailAuth from '@panel/contract/mail-auth'
import * as mailClients from '@panel/contract/mail-clients'
import * as mailQueue from '@panel/contract/mail-queue'
import * as mailReports from '@panel/contract/mail-reports'
import * as mailSpam from '@panel/contract/mail-spam'
import * as mailboxImports from '@panel/contract/mailbox-imports'
import * as mailboxes from '@panel/contract/mailboxes'
import * as monitoring from '@panel/contract/monitoring'
import * as notifications from '@panel/contract/notifications'
import * as overview from '@panel/contract/overview'
import * as processes from '@panel/contract/processes'
import * as projectSizes from '@panel/contract/project-sizes'
import * as projects from '@panel/contract/projects'
import * as registries from '@panel/contract/registries'
import * as runs from '@panel/contract/runs'
import * as search from '@panel/contract/search'
import * as serverDisk from '@panel/contract/server-disk'
import * as sessions from '@panel/contract/sessions'
import * as settings from '@panel/contract/settings'
import * as sftp from '@panel/contract/sftp'
import * as statusPages from '@panel/contract/status-pages'
import * as system from '@panel/contract/system'
import * as tcpPorts from '@panel/contract/tcp-ports'
import * as terminals from '@panel/contract/terminals'
import * as traffic from '@panel/contract/traffic'
import * as twoFactor from '@panel/contract/two-factor'
import * as uptimeChecks from '@panel/contract/uptime-checks'
import * as users from '@panel/contract/users'
import * as volumes from '@panel/contract/volumes'
import * as webhookDeliveries from '@panel/contract/webhook-deliveries'
import * as webmail from '@panel/contract/webmail'
import * as wordpress from '@panel/contract/wordpress'
import * as wordpressCare from '@panel/contract/wordpress-care'
import { z } from 'zod'

const modules: readonly object[] = [
accountRestores, accounts, apiTokens, audit, auth, backupDrills, backupSchedule, backups, bans, certificates, commitStatus, common, databases, deliveryLog, deliveryTests, deployRules, deployments, detection, deviceLogins, diskUsage, dkimKeys, dnsRecords, domainRules, domains, envVars, errors, explain, figures, files, firewall, git, healthChecks, imageReferences, live, mailAuth, mailClients, mailQueue, mailReports, mailSpam, mailboxImports, mailboxes, monitoring, notifications, overview, processes, projectSizes, projects, registries, runs, search, serverDisk, sessions, settings, sftp, statusPages, system, tcpPorts, terminals, traffic, twoFactor, uptimeChecks, users, volumes, webhookDeliveries, webmail, wordpress, wordpressCare
] // oxfmt-ignore

/**
 * Names the contract's schemas in the document after their exports, unless they have a name. Query schemas are skipped,
 * because their members become parameters.
 */
export function nameSchemas(): void {
  for (const [name, schema] of modules.flatMap((module) => Object.entries(module))) {
    if (!(schema instanceof z.ZodType) || name.endsWith('Query') || !/^[A-Z]/.test(name)) continue
    const meta = z.globalRegistry.get(schema)
    if (meta?.id === undefined) z.globalRegistry.add(schema, { ...meta, id: name })
  }
}
