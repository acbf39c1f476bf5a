import { z } from 'zod'
import { Id, singleLine, Timestamp, wellFormed } from './common.ts'

export const roles = ['ADMIN', 'RESELLER', 'USER'] as const
export const Role = z.enum(roles).meta({
  description:
    'ADMIN: all accounts, the server and its settings; but not the projects, domains and files of other accounts. RESELLER: also ' +
    'manages sub-accounts within its quotas. USER: only its own resources.'
})
export type Role = z.infer<typeof Role>

export const permissions = ['canManageDns', 'canManageFirewall', 'canManageBackups', 'canCreateSubAccounts'] as const
export const Permission = z.enum(permissions).meta({
  description:
    'Permissions beyond the role. canManageDns: the records of the server’s own names. canCreateSubAccounts: manage sub-accounts like ' +
    'a RESELLER. canManageFirewall: the firewall of the server. canManageBackups: backups of the whole server.'
})
export type Permission = z.infer<typeof Permission>

export const themes = ['light', 'dark', 'system'] as const
export const Theme = z.enum(themes)
export type Theme = z.infer<typeof Theme>

const Quota = z.int().nullable()

/** Must never contain the password hash or the TOTP secret. */
export const User = z
  .object({
    id: Id,
    name: z.string(),
    email: z.string(),
    role: Role,
    permissions: z.array(Permission),
    oversellingEnabled: z.boolean(),
    totpEnabled: z.boolean(),
    maxProjects: Quota,
    maxDomains: Quota,
    maxDatabases: Quota,
    maxMailboxes: Quota,
    maxSubAccounts: Quota,
    maxDiskMb: Quota.meta({ description: 'Disk limit in MiB; GET /api/users/:id/disk returns the usage.' }),
    maxMemoryMb: Quota.meta({ description: 'MiB of memory of the containers of all its sites and workers.' }),
    maxCpus: Quota.meta({ description: 'CPU cores of the containers of all its sites and workers.' }),
    maxTcpPorts: Quota.meta({ description: 'Published TCP ports of all its projects.' }),
    suspended: z.boolean().meta({ description: 'A suspended account cannot sign in; its sites are stopped.' }),
    parentId: Id.nullable().meta({ description: 'The account that created it; null at the top.' }),
    locale: z.string().nullable().meta({ description: 'Language tag, such as `de-AT`; null: the browser’s language.' }),
    timezone: z.string().nullable().meta({ description: 'IANA name; null: the server’s time zone.' }),
    theme: Theme.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const Name = singleLine(100).trim().min(1)
export const Email = z.email().max(254).meta({ description: 'Case-insensitive.' })
export const Password = wellFormed(z.string().min(8).max(128)).meta({
  description: '8 to 128 characters; must not be the email address.'
})
