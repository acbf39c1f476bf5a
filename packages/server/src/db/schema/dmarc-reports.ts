import { boolean, date, index, integer, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt } from './columns.ts'
import { mailDomains } from './mail-domains.ts'

export const dmarcDisposition = pgEnum('dmarc_disposition', ['none', 'quarantine', 'reject'])

/** Received DMARC aggregate reports, deduplicated. Their content is untrusted. */
export const dmarcReports = pgTable(
  'dmarc_reports',
  {
    id: text('id').primaryKey(),
    domainId: text('domain_id')
      .notNull()
      .references(() => mailDomains.domainId, { onDelete: 'cascade' }),
    reporter: text('reporter').notNull(),
    reportId: text('report_id').notNull(),
    beginAt: at('begin_at').notNull(),
    endAt: at('end_at').notNull(),
    policy: dmarcDisposition('policy'),
    rowCount: integer('row_count').notNull(),
    createdAt: createdAt()
  },
  (t) => [
    uniqueIndex('dmarc_reports_key').on(t.domainId, t.reporter, t.reportId),
    index('dmarc_reports_arrival').on(t.domainId, t.createdAt),
    index('dmarc_reports_begin').on(t.beginAt)
  ]
)

export const dmarcRows = pgTable(
  'dmarc_rows',
  {
    id: text('id').primaryKey(),
    reportId: text('report_id')
      .notNull()
      .references(() => dmarcReports.id, { onDelete: 'cascade' }),
    domainId: text('domain_id').notNull(),
    day: date('day').notNull(),
    // Null for rows that were summed up because there were too many.
    sourceIp: text('source_ip'),
    messages: integer('messages').notNull(),
    disposition: dmarcDisposition('disposition').notNull(),
    dkimAligned: boolean('dkim_aligned').notNull(),
    spfAligned: boolean('spf_aligned').notNull(),
    headerFrom: text('header_from'),
    dkimDomain: text('dkim_domain'),
    spfDomain: text('spf_domain')
  },
  (t) => [index('dmarc_rows_list').on(t.domainId, t.day, t.messages, t.id), index('dmarc_rows_report').on(t.reportId)]
)
