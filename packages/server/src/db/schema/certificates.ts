import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { type Certificate, certificateStatuses, certificateTypes } from '@panel/contract/certificates'
import { at, createdAt, updatedAt } from './columns.ts'
import { domains } from './domains.ts'

export const certificateType = pgEnum('certificate_type', certificateTypes)

export const certificateStatus = pgEnum('certificate_status', certificateStatuses)

/** An order in progress; resumed after a crash, because a new one would count towards the rate limit again. */
export interface PendingOrder {
  directoryUrl: string
  orderUrl: string
  key: string
}

export const certificates = pgTable(
  'certificates',
  {
    id: text('id').primaryKey(),
    domainId: text('domain_id')
      .notNull()
      .unique()
      .references(() => domains.id, { onDelete: 'cascade' }),
    type: certificateType('type').notNull().default('LETS_ENCRYPT'),
    status: certificateStatus('status').notNull().default('PENDING'),
    commonName: text('common_name').notNull(),
    sans: text('sans')
      .array()
      .notNull()
      .default(sql`'{}'`),
    // The served certificate: set together, and kept while a renewal runs or fails.
    chain: text('chain'), // PEM, leaf first
    encryptedKey: text('encrypted_key'), // PKCS #8 PEM, sealed by the secret box
    fingerprint: text('fingerprint'), // SHA-256, hex
    issuer: text('issuer'),
    serialNumber: text('serial_number'),
    validFrom: at('valid_from'),
    validTo: at('valid_to'),
    autoRenew: boolean('auto_renew').notNull().default(true),
    forceHttps: boolean('force_https').notNull().default(true),
    // Next renewal or retry; null if there is none.
    renewAt: at('renew_at'),
    failures: integer('failures').notNull().default(0),
    pendingOrder: jsonb('pending_order').$type<PendingOrder>(),
    errorMessage: text('error_message'),
    errorSentences: jsonb('error_sentences').$type<Certificate['errorSentences']>().notNull().default([]),
    lastCheckedAt: at('last_checked_at'),
    lastRenewedAt: at('last_renewed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('certificates_due')
      .on(t.renewAt)
      .where(sql`renew_at is not null`),
    index('certificates_expiry').on(t.validTo)
  ]
)
