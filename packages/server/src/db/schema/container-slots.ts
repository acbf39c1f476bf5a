import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { projects } from './projects.ts'

/**
 * One row per container that exists or is about to: the node's host port and address on its proxy network go together, and are free
 * again only when the container is gone.
 */
export const containerSlots = pgTable(
  'container_slots',
  {
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id),
    port: integer('port').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    deploymentId: text('deployment_id').notNull(),
    containerPort: integer('container_port').notNull(),
    // Set when the container no longer serves: it is drained and removed.
    retiredAt: at('retired_at'),
    createdAt: createdAt()
  },
  (t) => [
    primaryKey({ columns: [t.nodeId, t.port] }),
    uniqueIndex('container_slots_deployment').on(t.deploymentId),
    index('container_slots_project').on(t.projectId)
  ]
)
