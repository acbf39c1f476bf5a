import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'
import { projects } from './projects.ts'

/** Seen webhook deliveries, so that a redelivery does not queue a second deployment. */
export const pushDeliveries = pgTable(
  'push_deliveries',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    deliveryId: text('delivery_id').notNull(),
    deploymentId: text('deployment_id').notNull(),
    createdAt: createdAt()
  },
  (t) => [primaryKey({ columns: [t.projectId, t.deliveryId] }), index('push_deliveries_age').on(t.createdAt)]
)
