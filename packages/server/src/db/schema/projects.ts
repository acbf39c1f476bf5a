import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { DeployRules } from '@panel/contract/deploy-rules'
import { type ContainerSize } from '@panel/contract/project-sizes'
import type { HealthCheck } from '@panel/contract/health-checks'
import { type BuildArgs, projectSources, projectStatuses, projectTypes } from '@panel/contract/projects'
import { at, createdAt, updatedAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { users } from './users.ts'

export const projectType = pgEnum('project_type', projectTypes)

export const projectSource = pgEnum('project_source', projectSources)

export const projectStatus = pgEnum('project_status', projectStatuses)

export const projects = pgTable(
  'projects',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    // Where its containers are.
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id),
    // Where its files and volumes are, also of a project whose containers do not use them.
    filesNodeId: text('files_node_id')
      .notNull()
      .references(() => nodes.id),
    // Whether its containers have the files. Without them the project can be on any machine.
    keepsFiles: boolean('keeps_files').notNull().default(true),
    // Labels that its machine must have.
    machineLabels: text('machine_labels').array().notNull().default([]),
    name: text('name').notNull(),
    type: projectType('type').notNull(),
    status: projectStatus('status').notNull().default('ACTIVE'),
    source: projectSource('source').notNull().default('GIT'),
    gitUrl: text('git_url'),
    branch: text('branch'),
    isPrivate: boolean('is_private').notNull().default(false),
    buildCmd: text('build_cmd'),
    startCmd: text('start_cmd'),
    port: integer('port'),
    runtimeVersion: text('runtime_version'),
    rootDirectory: text('root_directory'),
    dockerfilePath: text('dockerfile_path'),
    dockerContext: text('docker_context'),
    dockerTarget: text('docker_target'),
    buildArgs: jsonb('build_args').$type<BuildArgs>(),
    installCmd: text('install_cmd'),
    outputDirectory: text('output_directory'),
    releaseCmd: text('release_cmd'),
    image: text('image'),
    imageAutoDeploy: boolean('image_auto_deploy').notNull().default(false),
    health: jsonb('health').$type<HealthCheck>(),
    deployRules: jsonb('deploy_rules').$type<DeployRules>(),
    size: jsonb('size').$type<ContainerSize>(),
    instances: integer('instances').notNull().default(1),
    stickySessions: boolean('sticky_sessions').notNull().default(false),
    restartWhenHung: boolean('restart_when_hung').notNull().default(true),
    reachable: boolean('reachable').notNull().default(false),
    // The proxy's pool of its instances. Kept until no route names it.
    proxyPool: integer('proxy_pool'),
    readOnlyRoot: boolean('read_only_root').notNull().default(false),
    pageCache: boolean('page_cache').notNull().default(false),
    webhookSecret: text('webhook_secret'), // sealed by the secret box
    // SHA-256 of the secret in the deploy hook's URL.
    deployHookHash: text('deploy_hook_hash'),
    deployHookCreatedAt: at('deploy_hook_created_at'),
    sshPublicKey: text('ssh_public_key'),
    sshPrivateKeyPath: text('ssh_private_key_path'),
    // The live deployment. Changing it, in one transaction, is the commit point of a deployment.
    liveDeploymentId: text('live_deployment_id'),
    containerId: text('container_id'),
    containerStatus: text('container_status'),
    internalPort: integer('internal_port'),
    // The volumes that its containers mount: `mountsKey` (features/containers/container-spec.policy.ts).
    mountedVolumes: text('mounted_volumes').notNull().default(''),
    deployedDomain: text('deployed_domain'),
    deployedAt: at('deployed_at'),
    // Stopped by its owner's suspension; started again when that ends.
    stoppedBySuspension: boolean('stopped_by_suspension').notNull().default(false),
    stopReason: text('stop_reason'),
    // When the live container last ran out of memory, and how much it had.
    outOfMemoryAt: at('out_of_memory_at'),
    outOfMemoryMb: integer('out_of_memory_mb'),
    sleepAfterMinutes: integer('sleep_after_minutes'),
    // Its containers are, or are being, stopped until the next request (features/sleep).
    asleepSince: at('asleep_since'),
    wokenAt: at('woken_at'),
    // Directory name on disk; null until it exists (features/files/project-directories.service.ts).
    filesName: text('files_name'),
    deletedAt: at('deleted_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('projects_name_key')
      .on(t.userId, t.name)
      .where(sql`deleted_at is null`),
    uniqueIndex('projects_proxy_pool').on(t.proxyPool),
    index('projects_sleepers')
      .on(t.id)
      .where(sql`sleep_after_minutes is not null`),
    index('projects_files_stale')
      .on(t.userId)
      .where(sql`deleted_at is null and files_name is distinct from name`),
    index('projects_list')
      .on(t.userId, t.createdAt, t.id)
      .where(sql`deleted_at is null`)
  ]
)
