import { index, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'

// refused: by our own checks before the authority was asked, or by the authority before there was an order.
export const orderOutcome = pgEnum('certificate_order_outcome', ['open', 'issued', 'failed', 'refused'])

/** Orders placed at the authority, which counts them too, and tries that did not get there (features/certificates/order-budget.policy.ts). */
export const certificateOrders = pgTable(
  'certificate_orders',
  {
    id: text('id').primaryKey(),
    hostname: text('hostname').notNull(),
    // The account whose share it counts in, also after its domain is gone; null of a renewal that was due.
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
