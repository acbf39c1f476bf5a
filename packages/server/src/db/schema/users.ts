import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgEnum, pgSequence, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { permissions, roles, themes } from '@panel/contract/users'
import { at, createdAt, updatedAt } from './columns.ts'

export const role = pgEnum('role', roles)

export const permission = pgEnum('permission', permissions)

export const theme = pgEnum('theme', themes)

/** 20000 + n. A sequence never reuses a value, so no account inherits the files of a deleted one. */
export const userUid = pgSequence('user_uid', { startWith: 20000, minValue: 20000, maxValue: 2_000_000_000 })

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    role: role('role').notNull(),
    permissions: permission('permissions')
      .array()
      .notNull()
      .default(sql`'{}'`),
    oversellingEnabled: boolean('overselling_enabled').notNull().default(false),
    totpEnabled: boolean('totp_enabled').notNull().default(false),
    totpSecret: text('totp_secret'), // sealed by the secret box
    // Last accepted TOTP step; each step is accepted once.
    totpLastStep: bigint('totp_last_step', { mode: 'number' }),
    suspendedAt: at('suspended_at'),
    suspendedBy: text('suspended_by'),
    // Tombstone, because deleted projects and deployments reference the account. Its email address is free again.
    deletedAt: at('deleted_at'),
    maxProjects: integer('max_projects'),
    maxDomains: integer('max_domains'),
    maxDatabases: integer('max_databases'),
    maxMailboxes: integer('max_mailboxes'),
    maxSubAccounts: integer('max_sub_accounts'),
    maxDiskMb: integer('max_disk_mb'),
    maxMemoryMb: integer('max_memory_mb'),
    maxCpus: integer('max_cpus'),
    maxTcpPorts: integer('max_tcp_ports'),
    // When usage first exceeded the disk quota; null below it.
    diskOverSince: at('disk_over_since'),
    nearQuotas: text('near_quotas')
      .array()
      .notNull()
      .default(sql`'{}'`),
    parentId: text('parent_id'), // no foreign key: an account may outlive its creator
    uid: integer('uid')
      .notNull()
      .unique()
      .default(sql`nextval('user_uid')`),
    locale: text('locale'),
    timezone: text('timezone'),
    theme: theme('theme'),
    // Updated in the transaction that creates or deletes a project. Locks the quota; total of an unfiltered list.
    projectCount: integer('project_count').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [uniqueIndex('users_email_key').on(sql`lower(${t.email})`), index('users_parent').on(t.parentId)]
)
