import { z } from 'zod'
import { Id, singleLine, Timestamp, wellFormed } from './common.ts'

export const roles = ['ADMIN', 'RESELLER', 'USER'] as const
export const Role = z.enum(roles).meta({
  description:
    'ADMIN: all accounts, the server and its settings; projects, domains and files of others stay theirs. RESELLER: accounts of its own too, ' +
    'within its quotas. USER: its own things.'
})
export type Role = z.infer<typeof Role>

export const permissions = ['canManageDns', 'canManageFirewall', 'canManageBackups', 'canCreateSubAccounts'] as const
export const Permission = z.enum(permissions).meta({
  description:
    'Beyond the role. canManageDns: the records of the server’s own names. canCreateSubAccounts: accounts below it, as a RESELLER has. ' +
    'canManageFirewall and canManageBackups open nothing yet.'
})
export type Permission = z.infer<typeof Permission>

export const themes = ['light', 'dark', 'system'] as const
export const Theme = z.enum(themes)
export type Theme = z.infer<typeof Theme>

const Quota = z.int().nullable()

/** Neither the password nor the TOTP secret is ever a member. */
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
    maxDiskMb: Quota.meta({ description: 'MiB on the disk; GET /api/users/:id/disk says what is used.' }),
    suspended: z.boolean().meta({ description: 'A suspended account cannot sign in; its sites are stopped.' }),
    parentId: Id.nullable().meta({ description: 'Who created the account; null at the top.' }),
    locale: z
      .string()
      .nullable()
      .meta({ description: 'A language tag, such as `de-AT`; null: as the browser has it.' }),
    timezone: z.string().nullable().meta({ description: 'IANA name; null: the server’s.' }),
    theme: Theme.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const Name = singleLine(100).trim().min(1)
export const Email = z.email().max(254).meta({ description: 'Compared without case.' })
export const Password = wellFormed(z.string().min(8).max(128)).meta({
  description: '8 to 128 characters, not the e-mail address.'
})
