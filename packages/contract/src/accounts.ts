import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine } from './common.ts'
import { words } from './details.ts'
import { Email, Name, Password, Permission, Role, Theme, User } from './users.ts'

/** The quotas that overselling covers. maxSubAccounts counts the accounts themselves, and disk space is bounded by what is really used. */
export const sharedQuotas = ['maxProjects', 'maxDomains', 'maxDatabases', 'maxMailboxes'] as const
export type SharedQuota = (typeof sharedQuotas)[number]

/** A cap; null means unlimited. Bounded so that sums stay exact. */
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
        'MiB of files, containers, images, databases, build logs and mail together; null means unlimited. Left out for a new account below one that ' +
        'has a limit: the same limit. What that account and all below it really use stays within its limit.'
    })
}

export const CreateUser = z
  .object({
    name: Name,
    email: Email,
    password: Password.optional().meta({
      description:
        'Left out: a link by which its person chooses one goes to the e-mail address, and is good for a week.'
    }),
    role: Role.default('USER'),
    ...quotas
  })
  .refine((body) => body.password?.toLowerCase() !== body.email.toLowerCase(), {
    path: ['password'],
    error: words.EMAIL_AS_PASSWORD
  })
export type CreateUser = z.infer<typeof CreateUser>

/** Of one's own account; null takes one back. */
export const UpdatePreferences = z.strictObject({
  locale: singleLine(35)
    .nullable()
    .optional()
    .meta({ description: 'A language tag of BCP 47, such as `de` or `pt-BR`.' }),
  timezone: singleLine(64).nullable().optional().meta({ description: 'A name of the IANA database, in any case.' }),
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
    .meta({ description: 'Only those that are suspended (true) or that are not (false).' }),
  below: Id.optional(),
  order: UserOrder.default('created').meta({
    description: '`created`: newest first. `disk`: those with the most on the disk first.'
  })
})
export type UserQuery = z.infer<typeof UserQuery>

export const AccountUsage = z
  .object({
    projects: z.int(),
    domains: z.int(),
    databases: z.int(),
    mailboxes: z.int(),
    diskBytes: z.int().nullable().meta({ description: 'As last measured; null before that.' }),
    oversold: z.boolean().meta({
      description: 'Of a RESELLER: whether the limits of its sub-accounts add up to more than one of its own.'
    })
  })
  .meta({ id: 'AccountUsage', description: 'How many an account itself really has of what each quota counts.' })
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
    .meta({ description: 'RESELLER only: what its sub-accounts’ limits add up to; null when one is unlimited.' }),
  oversold: z.boolean().optional().meta({ description: 'RESELLER only: whether that is more than its own limit.' }),
  pooledUsed: z.int().optional().meta({ description: 'RESELLER only: real usage of it and its sub-accounts together.' })
})

/** `nominalSum` and `oversold` only for a RESELLER, whatever the mode: what it has allocated, and whether that is more than it has. */
export const UsageSummary = z
  .object({
    oversellingEnabled: z.boolean(),
    resources: z.object({
      maxProjects: ResourceUsage,
      maxDomains: ResourceUsage,
      maxDatabases: ResourceUsage,
      maxMailboxes: ResourceUsage,
      maxSubAccounts: z.object({ used: z.int(), limit: z.int().nullable() })
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
