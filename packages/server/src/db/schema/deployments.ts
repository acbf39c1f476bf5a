import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, pgEnum, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import {
  deploymentStatuses,
  deploymentTriggers,
  type DeploymentSnapshot,
  type DeploymentUpload,
  type StoredDeploymentFailure
} from '@panel/contract/deployments'
import { at, createdAt, updatedAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { projects } from './projects.ts'
import { users } from './users.ts'

export const deploymentStatus = pgEnum('deployment_status', deploymentStatuses)

export const deploymentTrigger = pgEnum('deployment_trigger', deploymentTriggers)

/** An image of a registry, and the digest that its tag had. */
export interface SourceImage {
  reference: string
  digest: string
}

export interface ImageSpec {
  port: number
  readOnlyRoot: boolean
  /** Targets of named volumes; only images from before project directories. */
  volumes: readonly string[]
  filesAt?: string
  home?: string
  /** The site is the project's directory, which is mounted at `filesAt`, read-only unless `writesFiles`. */
  servesFiles?: boolean
  writesFiles?: boolean
  /** Folders below the project's directory that the application expects. */
  keeps?: readonly string[]
  /** Commands of the Procfile by process; absent without any. */
  processes?: Readonly<Record<string, string>>
}

/** `id` is that of `source_uploads`, whose row may be gone. */
export interface StoredUpload extends DeploymentUpload {
  id: string
  commit: string
}

/** `id` is that of `file_snapshots`, whose row may be gone. */
export interface StoredSnapshot extends DeploymentSnapshot {
  id: string
  /** The deployment that saves the files which this one replaces. */
  after?: string
  /** Not taken yet. */
  isPending?: true
  /** Only kept: the deployment never goes live. */
  isSaved?: true
}

export const deployments = pgTable(
  'deployments',
  {
    id: text('id').primaryKey(),
    // Orders deployments created in the same millisecond.
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    // The project's owner; duplicated so that the fair queue needs no join.
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    status: deploymentStatus('status').notNull().default('QUEUED'),
    trigger: deploymentTrigger('trigger').notNull(),
    commitHash: text('commit_hash'),
    commitMsg: text('commit_msg'),
    buildCmd: text('build_cmd'),
    upload: jsonb('upload').$type<StoredUpload>(),
    snapshot: jsonb('snapshot').$type<StoredSnapshot>(),
    // The image that was built or reused; null once it is removed.
    image: text('image'),
    imageSpec: jsonb('image_spec').$type<ImageSpec>(),
    // What a project of the type IMAGE runs; kept when the built image is removed, so that it can be pulled again.
    sourceImage: jsonb('source_image').$type<SourceImage>(),
    // The requested machine; null: where the project belongs.
    targetNodeId: text('target_node_id').references(() => nodes.id, { onDelete: 'set null' }),
    workerId: integer('worker_id'),
    startedAt: at('started_at'),
    // Log deleted to free space; later output is not stored.
    logRemovedAt: at('log_removed_at'),
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

/** Append-only chunks, so that a long log is never rewritten. */
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
