import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp } from './common.ts'

const auditActions = [
  'user.permissions_changed',
  'user.2fa_enabled',
  'user.2fa_disabled',
  'user.2fa_reset',
  'user.recovery_codes_renewed',
  'user.registered',
  'user.created',
  'user.updated',
  'user.role_changed',
  'user.quotas_changed',
  'user.disk_exceeded',
  'user.suspended',
  'user.resumed',
  'user.deleted',
  'user.password_changed',
  'user.password_reset_requested',
  'user.password_reset',
  'auth.login',
  'auth.login_failed',
  'auth.2fa_failed',
  'auth.recovery_code_used',
  'auth.logout',
  'auth.confirmed',
  'session.moved',
  'session.revoked',
  'token.created',
  'token.revoked',
  'device.approved',
  'device.denied',
  'env_var.revealed',
  'env_var.exported',
  'env_var.set',
  'env_var.imported',
  'env_var.deleted',
  'env_group.created',
  'env_group.deleted',
  'git.connected',
  'git.disconnected',
  'git.webhook_secret_shown',
  'git.webhook_secret_rotated',
  'git.deploy_key_created',
  'git.deploy_hook_created',
  'git.deploy_hook_removed',
  'git.commit_status_set',
  'git.commit_status_removed',
  'image_registry.saved',
  'image_registry.deleted',
  'project.created',
  'project.updated',
  'project.deleted',
  'project.env_groups_set',
  'scheduled_job.created',
  'scheduled_job.updated',
  'scheduled_job.deleted',
  'scheduled_job.started',
  'command.started',
  'run.stopped',
  'terminal.opened',
  'terminal.closed',
  'process.created',
  'process.updated',
  'process.deleted',
  'process.restarted',
  'volume.created',
  'volume.resized',
  'volume.deleted',
  'tcp_port.published',
  'tcp_port.removed',
  'uptime_check.created',
  'uptime_check.updated',
  'uptime_check.deleted',
  'status_page.saved',
  'deployment.build_requested',
  'deployment.upload_requested',
  'deployment.requested',
  'deployment.rollback_requested',
  'deployment.cancelled',
  'deployment.push_received',
  'deployment.push_replayed',
  'deployment.hook_called',
  'container.started',
  'container.stopped',
  'container.put_to_sleep',
  'container.restarted',
  'container.removed',
  'file.created',
  'file.written',
  'file.uploaded',
  'file.directory_created',
  'file.moved',
  'file.copied',
  'file.mode_changed',
  'file.extracted',
  'file.deleted',
  'domain.created',
  'domain.verified',
  'domain.updated',
  'domain.rules_changed',
  'domain.deleted',
  'domain.dns_mode_changed',
  'domain.dnssec_changed',
  'domain.zone_imported',
  'dns_record.created',
  'dns_record.updated',
  'dns_record.deleted',
  'dns_record.defaults_created',
  'certificate.requested',
  'certificate.uploaded',
  'certificate.removed',
  'database.created',
  'database.updated',
  'database.credentials_shown',
  'database.password_rotated',
  'database.deleted',
  'sftp.provisioned',
  'sftp.credentials_shown',
  'sftp.password_rotated',
  'sftp.key_added',
  'sftp.key_removed',
  'sftp.disabled',
  'sftp.enabled',
  'mailbox.created',
  'mailbox.updated',
  'mailbox.password_changed',
  'mailbox.autoreply_set',
  'mailbox.autoreply_removed',
  'mailbox.deleted',
  'mailbox.restored',
  'mailbox.purged',
  'mailbox.exported',
  'mailbox.import_started',
  'mailbox.import_cancelled',
  'mailbox.import_ended',
  'mail_alias.created',
  'mail_alias.updated',
  'mail_alias.deleted',
  'mail.synced',
  'mail.delivery_tested',
  'mail_auth.provisioned',
  'dkim_key.rotated',
  'dkim_key.retired',
  'mail_spam.updated',
  'mta_sts.changed',
  'mail_queue.flushed',
  'mail_queue.message_deleted',
  'mail_queue.message_flushed',
  'mail_queue.message_held',
  'mail_queue.message_released',
  'wordpress.copied',
  'wordpress.undone',
  'wordpress.exported',
  'wordpress.imported',
  'wordpress.password_reset',
  'wordpress.settings_changed',
  'wordpress.signed_in',
  'wordpress.text_replaced',
  'wordpress.updated',
  'firewall.change_requested',
  'firewall.changed',
  'firewall.reverted',
  'firewall.addresses_banned',
  'firewall.address_unbanned',
  'firewall.network_allowed',
  'firewall.network_disallowed',
  'backup_target.created',
  'backup_target.confirmed',
  'backup_target.deleted',
  'backup_schedule.changed',
  'backup_settings.changed',
  'backup_drill.requested',
  'account_restore.previewed',
  'account_restore.requested',
  'account_restore.started',
  'account_restore.ended',
  'account_restore.undone',
  'account_restore.kept',
  'backup.requested',
  'backup.restore_requested',
  'backup.restored',
  'backup.restore_undone',
  'mailbox.mail_restore_requested',
  'mailbox.mail_restored',
  'mailbox.mail_restore_undone',
  'panel.restored',
  'panel.upgrade_requested',
  'panel.upgraded',
  'panel.upgrade_reverted',
  'server_disk.cleanup_started',
  'machine.added',
  'machine.drained',
  'machine.join_allowed',
  'machine.updated',
  'machine.upgraded',
  'machine.removed',
  'machine.site_moved',
  'settings.changed'
] as const
export const AuditAction = z.enum(auditActions)
export type AuditAction = z.infer<typeof AuditAction>

export const AuditEntry = z
  .object({
    id: z.int(),
    // Any string, so that entries of newer or older versions can be read.
    action: z.string().meta({ description: `Such as ${auditActions[0]}.` }),
    actorId: Id.nullable(),
    targetId: z.string().nullable(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Never contains secrets.' }),
    createdAt: Timestamp,
    actorEmail: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Email of the acting account, unless deleted; only in the server-wide log of an ADMIN.' }),
    targetEmail: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Email of the target account, unless deleted; only in the server-wide log of an ADMIN.' })
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditFormat = z.enum(['json', 'csv'])
export type AuditFormat = z.infer<typeof AuditFormat>

export const AuditQuery = z.object({
  ...pageQuery(50, 200),
  action: AuditAction.optional(),
  actorId: Id.optional(),
  targetId: singleLine(64).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  format: AuditFormat.default('json').meta({
    description:
      '`csv`: a file with all matching entries, regardless of the page. Cells that a spreadsheet would read as a formula start with an ' +
      'apostrophe.'
  })
})
export type AuditQuery = z.infer<typeof AuditQuery>

export const OwnAuditQuery = z.object(pageQuery(50, 200))
export const AuditList = z
  .object({
    entries: z.array(AuditEntry),
    pagination: Pagination.meta({ description: 'With filters, the total is counted up to 10,001.' })
  })
  .meta({ id: 'AuditList' })

export const AuditVerifyQuery = z.object({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional().meta({
    description: 'Entry to continue after; 0 starts with the first entry. If omitted, checks the latest entries.'
  })
})

export const AuditCheck = z
  .object({
    ok: z.boolean(),
    checkedFrom: z.int().meta({ description: 'The entry before the checked range; 0 if it starts with the first.' }),
    checkedTo: z.int().meta({ description: 'The last verified entry: the next `after`.' }),
    brokenAt: z
      .int()
      .nullable()
      .meta({ description: 'The first entry that breaks the hash chain; null if none does.' }),
    newest: z.int().meta({ description: 'The latest entry.' }),
    archivedTo: z
      .int()
      .meta({ description: 'Entries up to this one are archived. Verify archives with `./panel audit verify`.' })
  })
  .meta({ id: 'AuditCheck' })
export type AuditCheck = z.infer<typeof AuditCheck>
