import { index, integer, jsonb, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { deliveryVerdicts, type PushedRef, webhookProviders } from '@panel/contract/webhook-deliveries'
import { at } from './columns.ts'
import { projects } from './projects.ts'

export const webhookProvider = pgEnum('webhook_provider', webhookProviders)
export const deliveryVerdict = pgEnum('delivery_verdict', deliveryVerdicts)

/** The latest authenticated deliveries of each project, for its owner to read. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    provider: webhookProvider('provider').notNull(),
    event: text('event').notNull(),
    verdict: deliveryVerdict('verdict').notNull(),
    reason: text('reason'),
    ref: jsonb('ref').$type<PushedRef>(),
    commitHash: text('commit_hash'),
    commitMsg: text('commit_msg'),
    // References nothing: the entry outlives its deployment.
    deploymentId: text('deployment_id'),
    createdAt: at('created_at').notNull()
  },
  (t) => [index('webhook_deliveries_list').on(t.projectId, t.id), index('webhook_deliveries_age').on(t.createdAt)]
)

/** One row per project, however many requests strangers send. */
export const unsignedDeliveries = pgTable('unsigned_deliveries', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  count: integer('count').notNull(),
  latestAt: at('latest_at').notNull()
})
