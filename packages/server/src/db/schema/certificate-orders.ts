import { index, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'

// refused: by our own checks or by the CA, before there was an order.
export const orderOutcome = pgEnum('certificate_order_outcome', ['open', 'issued', 'failed', 'refused'])

/** Orders placed at the CA and failed attempts, for its rate limits (features/certificates/order-budget.policy.ts). */
export const certificateOrders = pgTable(
  'certificate_orders',
  {
    id: text('id').primaryKey(),
    hostname: text('hostname').notNull(),
    // Account whose quota it counts towards, even after its domain is gone; null for a scheduled renewal.
    userId: text('user_id'),
    outcome: orderOutcome('outcome').notNull().default('open'),
    createdAt: createdAt()
  },
  (t) => [
    index('certificate_orders_name').on(t.hostname, t.createdAt),
    index('certificate_orders_age').on(t.createdAt),
    index('certificate_orders_user').on(t.userId, t.createdAt)
  ]
)
