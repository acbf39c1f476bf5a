import { sql } from 'drizzle-orm'
import { index, integer, pgEnum, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { tcpPortKinds } from '@panel/contract/tcp-ports'
import { createdAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { projects } from './projects.ts'

export const tcpPortKind = pgEnum('tcp_port_kind', tcpPortKinds)

/** Ports of containers that the proxy publishes for what is not HTTP. */
export const tcpPorts = pgTable(
  'tcp_ports',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id),
    kind: tcpPortKind('kind').notNull(),
    containerPort: integer('container_port').notNull(),
    // Null for TLS, where the name chooses the project.
    publishedPort: integer('published_port'),
    createdAt: createdAt()
  },
  (t) => [
    unique('tcp_ports_published').on(t.nodeId, t.publishedPort),
    uniqueIndex('tcp_ports_tls')
      .on(t.projectId)
      .where(sql`kind = 'TLS'`),
    index('tcp_ports_project').on(t.projectId)
  ]
)
