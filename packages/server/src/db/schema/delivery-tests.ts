import type { DeliveryTestAnswer } from '@panel/contract/delivery-tests'
import { index, jsonb, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt, updatedAt } from './columns.ts'
import { mailboxes } from './mailboxes.ts'
import { users } from './users.ts'

export const deliveryTestStatus = pgEnum('delivery_test_status', [
  'SENDING',
  'QUEUED',
  'DEFERRED',
  'DELIVERED',
  'ANSWERED',
  'BOUNCED',
  'FAILED'
])

export const deliveryTests = pgTable(
  'delivery_tests',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    mailboxId: text('mailbox_id')
      .notNull()
      .references(() => mailboxes.id, { onDelete: 'cascade' }),
    // Identifies the reply; visible to the recipient.
    token: text('token').notNull(),
    sender: text('sender').notNull(),
    recipient: text('recipient').notNull(),
    status: deliveryTestStatus('status').notNull(),
    queueId: text('queue_id'),
    relay: text('relay'),
    reply: text('reply'),
    answer: jsonb('answer').$type<DeliveryTestAnswer>(),
    lookedAt: at('looked_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('delivery_tests_token').on(t.token),
    index('delivery_tests_user').on(t.userId, t.createdAt),
    index('delivery_tests_mailbox').on(t.mailboxId),
    index('delivery_tests_created').on(t.createdAt)
  ]
)
