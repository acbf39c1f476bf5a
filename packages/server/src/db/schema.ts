import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex
} from 'drizzle-orm/pg-core'
import { permissions, roles } from '@panel/contract/users'
import { projectStatuses, projectTypes } from '@panel/contract/projects'
import { tokenScopes } from '@panel/contract/api-tokens'
import { deploymentStatuses, deploymentTriggers } from '@panel/contract/deployments'
import { dnsModes, domainStatuses } from '@panel/contract/domains'
import { dnsRecordTypes } from '@panel/contract/dns-records'
import { certificateStatuses, certificateTypes } from '@panel/contract/certificates'
import { databaseTypes } from '@panel/contract/databases'
import type { ErrorCode } from '@panel/contract/errors'
import { importStatuses, importSteps } from '@panel/contract/wordpress'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
const createdAt = () => at('created_at').notNull().defaultNow()
const updatedAt = () => at('updated_at').notNull().defaultNow()

export const role = pgEnum('role', roles)
export const permission = pgEnum('permission', permissions)
export const projectType = pgEnum('project_type', projectTypes)
export const projectStatus = pgEnum('project_status', projectStatuses)
export const deploymentStatus = pgEnum('deployment_status', deploymentStatuses)
export const deploymentTrigger = pgEnum('deployment_trigger', deploymentTriggers)
export const domainStatus = pgEnum('domain_status', domainStatuses)
export const dnsMode = pgEnum('dns_mode', dnsModes)
export const dnsRecordType = pgEnum('dns_record_type', dnsRecordTypes)
export const certificateType = pgEnum('certificate_type', certificateTypes)
export const certificateStatus = pgEnum('certificate_status', certificateStatuses)
export const acmeChallengeType = pgEnum('acme_challenge_type', ['http-01', 'dns-01'])
export const databaseType = pgEnum('database_type', databaseTypes)
// Only ACTIVE ones are shown; the others are on their way in or out, and the reconcile loop finishes what was cut off.
export const databaseStatus = pgEnum('database_status', ['PROVISIONING', 'ACTIVE', 'DELETING'])
export const importStatus = pgEnum('wordpress_import_status', importStatuses)
export const importStep = pgEnum('wordpress_import_step', importSteps)
// refused: by our own look before the authority was asked, or by the authority before there was an order.
export const orderOutcome = pgEnum('certificate_order_outcome', ['open', 'issued', 'failed', 'refused'])

/** Uids of panel users: 20000 + n, never used again, since a sequence never goes back (decisions "Projects, builds, files"). */
export const userUid = pgSequence('user_uid', { startWith: 20000, minValue: 20000, maxValue: 2_000_000_000 })

/** Numbers of worker processes (infra/worker-lease). */
export const workerId = pgSequence('worker_id', { maxValue: 2_000_000_000, cycle: true })

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    role: role('role').notNull(),
    permissions: permission('permissions')
      .array()
      .notNull()
      .default(sql`'{}'`),
    oversellingEnabled: boolean('overselling_enabled').notNull().default(false),
    totpEnabled: boolean('totp_enabled').notNull().default(false),
    totpSecret: text('totp_secret'), // sealed by the secret box
    // The last TOTP step that was accepted: each is accepted once.
    totpLastStep: bigint('totp_last_step', { mode: 'number' }),
    suspendedAt: at('suspended_at'),
    suspendedBy: text('suspended_by'),
    // A deleted account stays as an empty shell, since its deleted projects and deployments name it; its address is free again.
    deletedAt: at('deleted_at'),
    maxProjects: integer('max_projects'),
    maxDomains: integer('max_domains'),
    maxDatabases: integer('max_databases'),
    maxMailboxes: integer('max_mailboxes'),
    maxSubAccounts: integer('max_sub_accounts'),
    parentId: text('parent_id'), // no foreign key: an account may outlive who created it
    uid: integer('uid')
      .notNull()
      .unique()
      .default(sql`nextval('user_uid')`),
    // Kept in the transaction that creates or deletes a project: the quota's lock, and the total of an unfiltered list.
    projectCount: integer('project_count').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [uniqueIndex('users_email_key').on(sql`lower(${t.email})`), index('users_parent').on(t.parentId)]
)

export const sessions = pgTable(
  'sessions',
  {
    // SHA-256 of the session id: a copy of the table opens no session.
    idHash: text('id_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    ip: text('ip'),
    userAgent: text('user_agent'),
    expiresAt: at('expires_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull().defaultNow(),
    revokedAt: at('revoked_at'),
    createdAt: createdAt()
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)]
)

export const projects = pgTable(
  'projects',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    type: projectType('type').notNull(),
    status: projectStatus('status').notNull().default('ACTIVE'),
    gitUrl: text('git_url'),
    branch: text('branch'),
    isPrivate: boolean('is_private').notNull().default(false),
    buildCmd: text('build_cmd'),
    startCmd: text('start_cmd'),
    port: integer('port'),
    webhookSecret: text('webhook_secret'), // sealed by the secret box
    sshPublicKey: text('ssh_public_key'),
    sshPrivateKeyPath: text('ssh_private_key_path'),
    // The deployment whose container serves: moved in one transaction, this is the commit point of a deployment.
    liveDeploymentId: text('live_deployment_id'),
    containerId: text('container_id'),
    containerStatus: text('container_status'),
    internalPort: integer('internal_port'),
    deployedDomain: text('deployed_domain'),
    deployedAt: at('deployed_at'),
    // Its owner's suspension stopped it: it starts again when that ends.
    stoppedBySuspension: boolean('stopped_by_suspension').notNull().default(false),
    // The name that its directory has on disk; null before there is one (features/files/project-directories.ts).
    filesName: text('files_name'),
    deletedAt: at('deleted_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('projects_name_key')
      .on(t.userId, t.name)
      .where(sql`deleted_at is null`),
    index('projects_files_stale')
      .on(t.userId)
      .where(sql`deleted_at is null and files_name is distinct from name`),
    index('projects_list')
      .on(t.userId, t.createdAt, t.id)
      .where(sql`deleted_at is null`)
  ]
)

/**
 * Host names are reserved across the whole server, whoever asks (decisions "Projects, builds, files"): a project's own name by the
 * project, a verified domain's by its account.
 */
export const hostNames = pgTable(
  'host_names',
  {
    hostname: text('hostname').primaryKey(),
    projectId: text('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt()
  },
  (t) => [
    index('host_names_project').on(t.projectId),
    check('host_names_holder', sql`(${t.projectId} is null) <> (${t.userId} is null)`)
  ]
)

/**
 * Several accounts may claim a host name; only one has it ACTIVE, the first that proved it. One account may have a host name several
 * times, with different path prefixes.
 */
export const domains = pgTable(
  'domains',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    hostname: text('hostname').notNull(),
    status: domainStatus('status').notNull().default('PENDING'),
    verificationToken: text('verification_token'),
    projectId: text('project_id').references(() => projects.id, { onDelete: 'set null' }),
    parentId: text('parent_id').references((): AnyPgColumn => domains.id, { onDelete: 'cascade' }),
    pathPrefix: text('path_prefix'),
    dnsMode: dnsMode('dns_mode').notNull().default('CONNECTED'),
    // The zone (dns_zones.domain_id) that holds its records while it is MANAGED: its own, or that of the domain above it.
    zoneId: text('zone_id'),
    verifiedAt: at('verified_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('domains_route_key')
      .on(t.hostname, sql`coalesce(path_prefix, '')`)
      .where(sql`status = 'ACTIVE'`),
    uniqueIndex('domains_claim_key').on(t.userId, t.hostname, sql`coalesce(path_prefix, '')`),
    index('domains_list').on(t.userId, t.createdAt, t.id),
    index('domains_project').on(t.projectId),
    index('domains_parent').on(t.parentId),
    index('domains_zone').on(t.zoneId)
  ]
)

/**
 * Zones that our name server answers for: one per MANAGED domain that is not below another one of its account. The row is the lock of
 * everything in the zone.
 */
export const dnsZones = pgTable(
  'dns_zones',
  {
    domainId: text('domain_id')
      .primaryKey()
      .references(() => domains.id, { onDelete: 'cascade' }),
    name: text('name').notNull().unique(),
    isSigned: boolean('is_signed').notNull().default(false),
    // YYYYMMDDnn, never below what it was (features/dns-zones/serial.policy.ts).
    serial: bigint('serial', { mode: 'number' }).notNull(),
    // Counts changes; behind it, `appliedRevision` says what the name server was given.
    revision: integer('revision').notNull().default(1),
    appliedRevision: integer('applied_revision').notNull().default(0),
    // Why the newest revision could not be put in place.
    problem: text('problem'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('dns_zones_stale')
      .on(t.domainId)
      .where(sql`applied_revision <> revision`)
  ]
)

/** Serials of zones that are gone, for as long as a second name server may hold a copy. */
export const formerZones = pgTable('former_zones', {
  name: text('name').primaryKey(),
  serial: bigint('serial', { mode: 'number' }).notNull(),
  createdAt: createdAt()
})

export const dnsRecords = pgTable(
  'dns_records',
  {
    id: text('id').primaryKey(),
    domainId: text('domain_id')
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    type: dnsRecordType('type').notNull(),
    // Relative to the domain; of the verification record, the full host name (spec "DnsRecord").
    name: text('name').notNull(),
    value: text('value').notNull(),
    ttl: integer('ttl').notNull(),
    priority: integer('priority'),
    weight: integer('weight'),
    port: integer('port'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [index('dns_records_domain').on(t.domainId, t.name)]
)

/** The order at the authority that is under way, so that one that was cut off goes on instead of being paid for twice. */
export interface PendingOrder {
  directoryUrl: string
  orderUrl: string
  /** The new certificate's key, sealed by the secret box. */
  key: string
}

export const certificates = pgTable(
  'certificates',
  {
    id: text('id').primaryKey(),
    domainId: text('domain_id')
      .notNull()
      .unique()
      .references(() => domains.id, { onDelete: 'cascade' }),
    type: certificateType('type').notNull().default('LETS_ENCRYPT'),
    status: certificateStatus('status').notNull().default('PENDING'),
    commonName: text('common_name').notNull(),
    sans: text('sans')
      .array()
      .notNull()
      .default(sql`'{}'`),
    // What is served: set together, and kept while a renewal runs or fails.
    chain: text('chain'), // PEM, the certificate first
    encryptedKey: text('encrypted_key'), // PKCS #8 PEM, sealed by the secret box
    fingerprint: text('fingerprint'), // SHA-256 of the certificate, hex
    issuer: text('issuer'),
    serialNumber: text('serial_number'),
    validFrom: at('valid_from'),
    validTo: at('valid_to'),
    autoRenew: boolean('auto_renew').notNull().default(true),
    forceHttps: boolean('force_https').notNull().default(true),
    // When the panel renews it, or tries again; null where it does not.
    renewAt: at('renew_at'),
    failures: integer('failures').notNull().default(0),
    pendingOrder: jsonb('pending_order').$type<PendingOrder>(),
    errorMessage: text('error_message'),
    lastCheckedAt: at('last_checked_at'),
    lastRenewedAt: at('last_renewed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('certificates_due')
      .on(t.renewAt)
      .where(sql`renew_at is not null`),
    index('certificates_expiry').on(t.validTo)
  ]
)

/** Answers to an authority's challenges: by token under every host name, or as TXT records in our own zones. */
export const acmeChallenges = pgTable(
  'acme_challenges',
  {
    // http-01: the token. dns-01: an id.
    token: text('token').primaryKey(),
    domainId: text('domain_id')
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    type: acmeChallengeType('type').notNull(),
    // dns-01: the full name of the TXT record.
    name: text('name'),
    // http-01: the key authorization. dns-01: the TXT record's value.
    value: text('value').notNull(),
    createdAt: createdAt()
  },
  (t) => [index('acme_challenges_domain').on(t.domainId)]
)

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

/** When an account was last written to about a certificate: by name, so that removing what it was about makes no difference. */
export const certificateAlertMails = pgTable(
  'certificate_alert_mails',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hostname: text('hostname').notNull(),
    sentAt: at('sent_at').notNull()
  },
  (t) => [primaryKey({ columns: [t.userId, t.hostname] })]
)

/** Databases on the engines, each with one account that may use it alone. */
export const databases = pgTable(
  'databases',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    type: databaseType('type').notNull(),
    status: databaseStatus('status').notNull().default('PROVISIONING'),
    projectId: text('project_id').references(() => projects.id, { onDelete: 'set null' }),
    autoInjectEnv: boolean('auto_inject_env').notNull().default(false),
    username: text('username').notNull().unique(),
    encryptedPassword: text('encrypted_password').notNull(), // sealed by the secret box
    // While it is rotated: the one that the engine has, or is about to have.
    encryptedNextPassword: text('encrypted_next_password'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('databases_name_key').on(t.type, sql`lower(${t.name})`),
    index('databases_list').on(t.userId, t.createdAt, t.id),
    index('databases_project').on(t.projectId),
    index('databases_unfinished')
      .on(t.updatedAt)
      .where(sql`status <> 'ACTIVE' or encrypted_next_password is not null`)
  ]
)

export const envVars = pgTable(
  'env_vars',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    value: text('value').notNull(), // sealed by the secret box
    // The database that it came from and goes with; null once somebody has set it by hand.
    databaseId: text('database_id').references(() => databases.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [uniqueIndex('env_vars_key').on(t.projectId, t.key), index('env_vars_database').on(t.databaseId)]
)

/** How the image of a deployment wants to be run. */
export interface ImageSpec {
  port: number
  readOnlyRoot: boolean
  /** Targets of named volumes: of images that were built before projects had directories. */
  volumes: readonly string[]
  /** Where the project's directory of files is mounted; absent in images that were built before there was one. */
  filesAt?: string
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
    duration: integer('duration'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('deployments_list').on(t.projectId, t.seq),
    index('deployments_served').on(t.userId, t.startedAt),
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

/**
 * One row per container that exists or is about to: host port and address on the proxy network go together, and are free
 * again only when the container is gone.
 */
export const containerSlots = pgTable(
  'container_slots',
  {
    port: integer('port').primaryKey(),
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
    uniqueIndex('container_slots_deployment').on(t.deploymentId),
    index('container_slots_project').on(t.projectId)
  ]
)

/** One SFTP account per user (spec "SftpUser"). */
export const sftpUsers = pgTable(
  'sftp_users',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .unique()
      .references(() => users.id),
    linuxUsername: text('linux_username').notNull().unique(),
    encryptedPassword: text('encrypted_password').notNull(), // sealed by the secret box
    sshPublicKeys: text('ssh_public_keys')
      .array()
      .notNull()
      .default(sql`'{}'`),
    isEnabled: boolean('is_enabled').notNull().default(true),
    // Counts changes; behind it, `appliedRevision` says what the machine was given.
    revision: integer('revision').notNull().default(1),
    appliedRevision: integer('applied_revision').notNull().default(0),
    // Its user is gone: the account of the machine goes, and then the row.
    removedAt: at('removed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('sftp_users_stale')
      .on(t.id)
      .where(sql`applied_revision <> revision or removed_at is not null`)
  ]
)

/** Imports of WordPress sites: one at a time per project, each resumed or taken back after a crash by its step. */
export const wordpressImports = pgTable(
  'wordpress_imports',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    status: importStatus('status').notNull().default('RUNNING'),
    step: importStep('step').notNull().default('RECEIVING'),
    // The site's database, and the one that the dump is loaded into before the two change places.
    databaseId: text('database_id').references(() => databases.id, { onDelete: 'set null' }),
    stagingDatabase: text('staging_database'),
    files: integer('files').notNull().default(0),
    tables: integer('tables').notNull().default(0),
    replacedAddress: text('replaced_address'),
    deploymentId: text('deployment_id'),
    // What was left out or left alone, in sentences.
    notes: text('notes')
      .array()
      .notNull()
      .default(sql`'{}'`),
    errorCode: text('error_code').$type<ErrorCode>(),
    errorMessage: text('error_message'),
    // The panel process that works on it (infra/worker-lease).
    workerId: integer('worker_id'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('wordpress_imports_running')
      .on(t.projectId)
      .where(sql`status = 'RUNNING'`),
    index('wordpress_imports_list').on(t.projectId, t.createdAt)
  ]
)

/** Push deliveries seen, so that the same one twice queues once. */
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

/**
 * Append-only, in a hash chain: `hash` covers the entry and the hash before it (features/audit/audit-chain.policy.ts). Accounts are
 * named by id without a foreign key, so that entries outlive them.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey(),
    action: text('action').notNull(),
    actorId: text('actor_id'),
    targetId: text('target_id'),
    ip: text('ip'),
    userAgent: text('user_agent'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
    hash: text('hash').notNull().default(''),
    createdAt: createdAt()
  },
  (t) => [
    index('audit_log_actor').on(t.actorId, t.id),
    index('audit_log_target').on(t.targetId, t.id),
    index('audit_log_action').on(t.action, t.id)
  ]
)

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(), // Argon2id
    usedAt: at('used_at'),
    createdAt: createdAt()
  },
  (t) => [index('recovery_codes_user').on(t.userId)]
)

export const tokenScope = pgEnum('token_scope', tokenScopes)

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    // SHA-256 of the token, which has 256 random bits: nothing to guess.
    tokenHash: text('token_hash').notNull().unique(),
    scope: tokenScope('scope').notNull(),
    expiresAt: at('expires_at').notNull(),
    lastUsedAt: at('last_used_at'),
    createdAt: createdAt()
  },
  (t) => [index('api_tokens_user').on(t.userId)]
)

/** One-time links; only the newest of a user counts. */
export const passwordResets = pgTable('password_resets', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  tokenHash: text('token_hash').notNull().unique(),
  expiresAt: at('expires_at').notNull(),
  createdAt: createdAt()
})

/** Facts of the installation: its id (in every label) and the canary of the encryption key. */
export const settings = pgTable('settings', { key: text('key').primaryKey(), value: text('value').notNull() })
