import { index, integer, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { dnsRecordTypes } from '@panel/contract/dns-records'
import { createdAt, updatedAt } from './columns.ts'
import { domains } from './domains.ts'

export const dnsRecordType = pgEnum('dns_record_type', dnsRecordTypes)

export const dnsRecords = pgTable(
  'dns_records',
  {
    id: text('id').primaryKey(),
    domainId: text('domain_id')
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    type: dnsRecordType('type').notNull(),
    // Relative to the domain; the verification record has the full hostname, for copying.
    name: text('name').notNull(),
    value: text('value').notNull(),
    ttl: integer('ttl').notNull(),
    priority: integer('priority'),
    weight: integer('weight'),
    port: integer('port'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [index('dns_records_domain').on(t.domainId, t.name)]
)
