import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, pgEnum, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { deploymentStatuses, deploymentTriggers, type StoredDeploymentFailure } from '@panel/contract/deployments'
import { at, createdAt, updatedAt } from './columns.ts'
import { projects } from './projects.ts'
import { users } from './users.ts'

export const deploymentStatus = pgEnum('deployment_status', deploymentStatuses)

export const deploymentTrigger = pgEnum('deployment_trigger', deploymentTriggers)

/** How the image of a deployment wants to be run. */
export interface ImageSpec {
  port: number
  readOnlyRoot: boolean
  /** Targets of named volumes: of images that were built before projects had directories. */
  volumes: readonly string[]
  /** Where the project's directory of files is mounted; absent in images that were built before there was one. */
  filesAt?: string
  /** The directory in it that is its user's own; absent in images without one. */
  home?: string
}

export const deployments = pgTable(
  'deployments',
  {
    id: text('id').primaryKey(),
    // Orders deployments that were created within one millisecond.
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    // The project's owner, here too so that the fair queue needs no join.
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    status: deploymentStatus('status').notNull().default('QUEUED'),
    trigger: deploymentTrigger('trigger').notNull(),
    commitHash: text('commit_hash'),
    commitMsg: text('commit_msg'),
    buildCmd: text('build_cmd'),
    // The image that this deployment built or reuses; null again once the image is removed.
    image: text('image'),
    imageSpec: jsonb('image_spec').$type<ImageSpec>(),
    // The panel process that works on it (infra/worker-lease); its death is what recovery looks for.
    workerId: integer('worker_id'),
    startedAt: at('started_at'),
    // Its log is gone, for want of room; what comes after is not kept.
    logRemovedAt: at('log_removed_at'),
    // Why it failed; null of one that did not.
    failure: jsonb('failure').$type<StoredDeploymentFailure>(),
    duration: integer('duration'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('deployments_list').on(t.projectId, t.seq),
    index('deployments_served').on(t.userId, t.startedAt),
    index('deployments_logged')
      .on(t.userId, t.seq)
      .where(sql`log_removed_at is null`),
    index('deployments_open')
      .on(t.status, t.seq)
      .where(sql`status in ('QUEUED', 'BUILDING', 'DEPLOYING')`)
  ]
)

/** Logs are appended as chunks, so that a long log is never rewritten. */
export const deploymentLogs = pgTable(
  'deployment_logs',
  {
    deploymentId: text('deployment_id')
      .notNull()
      .references(() => deployments.id, { onDelete: 'cascade' }),
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    text: text('text').notNull()
  },
  (t) => [primaryKey({ columns: [t.deploymentId, t.seq] })]
)
