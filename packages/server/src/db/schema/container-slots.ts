import {
  boolean,
  foreignKey,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex
} from 'drizzle-orm/pg-core'
import { accountNetworks } from './account-networks.ts'
import { at, createdAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { projects } from './projects.ts'

/** RUN: the container of a run or a worker. It publishes no port, and a new release does not retire it. */
export const slotKind = pgEnum('slot_kind', ['SITE', 'RUN'])

/** Host port and address of each container. Freed only when the container is gone. */
export const containerSlots = pgTable(
  'container_slots',
  {
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id),
    port: integer('port').notNull(),
    // Both null for a container on the former shared network.
    network: integer('network'),
    address: text('address'),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    // The deployment, the run, or the instance of a worker.
    deploymentId: text('deployment_id').notNull(),
    // 0 for the first or only container of the deployment.
    instance: integer('instance').notNull().default(0),
    kind: slotKind('kind').notNull().default('SITE'),
    containerPort: integer('container_port').notNull(),
    // By the other containers of its network.
    isReachable: boolean('is_reachable').notNull().default(false),
    // Set when the container no longer serves and is being drained and removed.
    retiredAt: at('retired_at'),
    createdAt: createdAt()
  },
  (t) => [
    primaryKey({ columns: [t.nodeId, t.port] }),
    // A network cannot be removed while it has containers.
    foreignKey({
      columns: [t.nodeId, t.network],
      foreignColumns: [accountNetworks.nodeId, accountNetworks.number],
      name: 'container_slots_network'
    }),
    uniqueIndex('container_slots_address').on(t.nodeId, t.address),
    uniqueIndex('container_slots_deployment').on(t.deploymentId, t.instance),
    index('container_slots_project').on(t.projectId)
  ]
)
