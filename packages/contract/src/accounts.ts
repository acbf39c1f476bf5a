import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine } from './common.ts'
import { words } from './details.ts'
import { Email, Name, Password, Permission, Role, Theme, User } from './users.ts'

/** maxSubAccounts counts accounts themselves, and disk space is limited by actual usage. */
export const sharedQuotas = ['maxProjects', 'maxDomains', 'maxDatabases', 'maxMailboxes'] as const
export type SharedQuota = (typeof sharedQuotas)[number]

/** Counted each time that one is created. */
export type CountedQuota = SharedQuota | 'maxTcpPorts'

/** Null means unlimited. Bounded so that sums stay exact. */
export const QuotaValue = z.int().min(0).max(1_000_000).nullable()

const quotas = {
  maxProjects: QuotaValue.optional(),
  maxDomains: QuotaValue.optional(),
  maxDatabases: QuotaValue.optional(),
  maxMailboxes: QuotaValue.optional(),
  maxSubAccounts: QuotaValue.optional(),
  maxDiskMb: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .optional()
    .meta({
      description:
        'MiB of files, containers, images, databases, build logs and mail in total; null means unlimited. If omitted for a new account ' +
        'below one with a limit, it gets the same limit. The actual usage of an account and all its sub-accounts stays within its limit.'
    }),
  maxMemoryMb: QuotaValue.optional().meta({
    description:
      'MiB of memory that the containers of all sites and workers may have together, including those of sub-accounts; null means unlimited. If ' +
      'omitted for a new account below one with a limit, it gets the same limit.'
  }),
  maxCpus: QuotaValue.optional().meta({ description: 'CPU cores; otherwise like maxMemoryMb.' }),
  maxTcpPorts: QuotaValue.optional().meta({
    description: 'Published TCP ports of all projects; otherwise like maxMemoryMb.'
  })
}

/** Not divided among sub-accounts: each may have as much as the parent, and the actual usage counts against both. */
export const inheritedQuotas = ['maxDiskMb', 'maxMemoryMb', 'maxCpus', 'maxTcpPorts'] as const
export type InheritedQuota = (typeof inheritedQuotas)[number]

export const CreateUser = z
  .object({
    name: Name,
    email: Email,
    password: Password.optional().meta({
      description: 'If omitted, the new user receives an email with a link to choose a password, valid for a week.'
    }),
    role: Role.default('USER'),
    ...quotas
  })
  .refine((body) => body.password?.toLowerCase() !== body.email.toLowerCase(), {
    path: ['password'],
    error: words.EMAIL_AS_PASSWORD
  })
export type CreateUser = z.infer<typeof CreateUser>

/** For your own account; null resets a preference. */
export const UpdatePreferences = z.strictObject({
  locale: singleLine(35).nullable().optional().meta({ description: 'BCP 47 language tag, such as `de` or `pt-BR`.' }),
  timezone: singleLine(64).nullable().optional().meta({ description: 'IANA time zone name, case-insensitive.' }),
  theme: Theme.nullable().optional()
})
export type UpdatePreferences = z.infer<typeof UpdatePreferences>

export const UpdateUser = z.object({ name: Name.optional(), email: Email.optional() })
export type UpdateUser = z.infer<typeof UpdateUser>

export const ChangeRole = z.object({ role: Role })
export const ChangeQuotas = z.object({ ...quotas, oversellingEnabled: z.boolean().optional() })
export type ChangeQuotas = z.infer<typeof ChangeQuotas>
export const ChangePermissions = z.object({ permissions: z.array(Permission).max(10) })

export const UserOrder = z.enum(['created', 'disk'])

export const UserQuery = z.object({
  ...pageQuery(20, 100),
  search: singleLine(100).optional(),
  role: Role.optional(),
  suspended: z
    .stringbool()
    .optional()
    .meta({ description: 'Only suspended accounts (true) or only active ones (false).' }),
  below: Id.optional(),
  order: UserOrder.default('created').meta({
    description: '`created`: newest first. `disk`: highest disk usage first.'
  })
})
export type UserQuery = z.infer<typeof UserQuery>

export const AccountUsage = z
  .object({
    projects: z.int(),
    domains: z.int(),
    databases: z.int(),
    mailboxes: z.int(),
    diskBytes: z.int().nullable().meta({ description: 'From the last measurement; null before the first.' }),
    oversold: z.boolean().meta({
      description: 'For a RESELLER: whether the limits of its sub-accounts exceed one of its own in total.'
    })
  })
  .meta({ id: 'AccountUsage', description: 'Actual usage of an account per quota, without sub-accounts.' })
export type AccountUsage = z.infer<typeof AccountUsage>

export const ListedUser = User.extend({ usage: AccountUsage }).meta({ id: 'ListedUser' })
export type ListedUser = z.infer<typeof ListedUser>
export const UserList = z.object({ users: z.array(ListedUser), pagination: Pagination }).meta({ id: 'UserList' })

const ResourceUsage = z.object({
  used: z.int(),
  limit: z.int().nullable(),
  nominalSum: z
    .int()
    .nullable()
    .optional()
    .meta({ description: 'RESELLER only: sum of the limits of its sub-accounts; null if one is unlimited.' }),
  oversold: z.boolean().optional().meta({ description: 'RESELLER only: whether that sum exceeds its own limit.' }),
  pooledUsed: z
    .int()
    .optional()
    .meta({ description: 'RESELLER only: actual usage of the account and its sub-accounts.' })
})

const CapacityUsage = z.object({
  used: z.number(),
  limit: z.int().nullable(),
  pooledUsed: z.number().optional().meta({ description: 'RESELLER only: of the account and its sub-accounts.' })
})

export const UsageSummary = z
  .object({
    oversellingEnabled: z.boolean(),
    resources: z.object({
      maxProjects: ResourceUsage,
      maxDomains: ResourceUsage,
      maxDatabases: ResourceUsage,
      maxMailboxes: ResourceUsage,
      maxSubAccounts: z.object({ used: z.int(), limit: z.int().nullable() }),
      maxMemoryMb: CapacityUsage.meta({
        description:
          'MiB of memory that the containers of all sites and workers may use: size times instances, running or not.'
      }),
      maxCpus: CapacityUsage.meta({ description: 'CPU cores; otherwise like maxMemoryMb.' }),
      maxTcpPorts: CapacityUsage.meta({ description: 'Published TCP ports.' })
    })
  })
  .meta({ id: 'UsageSummary' })
export type UsageSummary = z.infer<typeof UsageSummary>

export const ForgotPassword = z.object({ email: Email })
export const ResetPassword = z
  .object({ token: z.string().min(1).max(128), newPassword: Password, confirmNewPassword: z.string().max(128) })
  .refine((body) => body.newPassword === body.confirmNewPassword, {
    path: ['confirmNewPassword'],
    error: words.OTHER_NEW_PASSWORD
  })
