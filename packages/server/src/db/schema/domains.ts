import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, index, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { dnsModes, domainStatuses } from '@panel/contract/domains'
import { at, createdAt, updatedAt } from './columns.ts'
import { projects } from './projects.ts'
import { users } from './users.ts'

export const domainStatus = pgEnum('domain_status', domainStatuses)

export const dnsMode = pgEnum('dns_mode', dnsModes)

/** Only one account can have a hostname ACTIVE; one account may have it several times with different path prefixes. */
export const domains = pgTable(
  'domains',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    hostname: text('hostname').notNull(),
    status: domainStatus('status').notNull().default('PENDING'),
    verificationToken: text('verification_token'),
    projectId: text('project_id').references(() => projects.id, { onDelete: 'set null' }),
    parentId: text('parent_id').references((): AnyPgColumn => domains.id, { onDelete: 'cascade' }),
    pathPrefix: text('path_prefix'),
    dnsMode: dnsMode('dns_mode').notNull().default('CONNECTED'),
    // The zone (dns_zones.domain_id) with its records while MANAGED: its own, or that of an ancestor.
    zoneId: text('zone_id'),
    // Created by the panel below a mail domain (domains/mail-hosts.service.ts), until the owner takes it over.
    isMailHost: boolean('is_mail_host').notNull().default(false),
    // For those: when to check whether DNS points here, to issue a certificate; null if there is nothing to do.
    probeAt: at('probe_at'),
    verifiedAt: at('verified_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('domains_route_key')
      .on(t.hostname, sql`coalesce(path_prefix, '')`)
      .where(sql`status = 'ACTIVE'`),
    uniqueIndex('domains_claim_key').on(t.userId, t.hostname, sql`coalesce(path_prefix, '')`),
    index('domains_list').on(t.userId, t.createdAt, t.id),
    index('domains_project').on(t.projectId),
    index('domains_parent').on(t.parentId),
    index('domains_zone').on(t.zoneId),
    index('domains_probe')
      .on(t.probeAt)
      .where(sql`probe_at is not null`)
  ]
)
