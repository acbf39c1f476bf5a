import type { SettingCountsFrom, SettingFixedReason } from '@panel/contract/settings'
import type { VariableName } from '../config.ts'

/** Why a variable takes a restart. */
export const restartReasons = {
  listens: 'ports and addresses are opened at the start',
  place: 'files and programs lie there',
  secret: 'a key or a password, which is kept out of the store',
  name: 'names, records and links are made of it',
  program: 'a program, the container engine or the firewall is set up with it',
  trust: 'it decides who is believed, or what is reached',
  process: 'pools and rounds of a process have their size from it'
} as const satisfies Record<Exclude<SettingFixedReason, 'environment'>, string>

/** When a change counts. */
export const countsTexts: Readonly<Record<SettingCountsFrom, string>> = {
  deployment: 'with the next deployment',
  build: 'for the next build',
  round: 'with the next round',
  signIn: 'for the next sign-in',
  password: 'for passwords that are set, and of accounts as they sign in',
  importBegun: 'for those that begin',
  buildBegun: 'for builds that begin'
}

export interface VariableFacts {
  about: string
  unit?: 'bytes' | 'seconds' | 'days' | 'MB' | 'GB' | '%' | 'cores'
  /** Left out where an administrator changes it while the panel runs. */
  restart?: keyof typeof restartReasons
  /** When a change counts, where that is not at once for whatever comes next. */
  counts?: SettingCountsFrom
  /** Never shown; stored encrypted. */
  isSecret?: true
}

type More = Omit<VariableFacts, 'about' | 'restart'>

const live = (about: string, more: More = {}): VariableFacts => ({ about, ...more })
const restart = (reason: keyof typeof restartReasons, about: string, more: More = {}): VariableFacts => ({
  about,
  restart: reason,
  ...more
})
const atDeployment = { counts: 'deployment' } as const
const atBuild = { counts: 'build' } as const
const atRound = { counts: 'round' } as const

/** Every variable: what it is, and whether it can be changed while the panel runs. Those that can are read when they are used, and never kept. */
export const variableFacts: Readonly<Record<VariableName, VariableFacts>> = {
  // The panel
  HOST: restart('listens', 'Where the API listens'),
  PORT: restart('listens', 'The port of the API'),
  DATA_DIR: restart('place', 'All state'),
  NODE_ENV: restart('trust', 'Whether this is a panel of tests'),
  WEB_PROCESS: restart('process', 'Whether the API is served by a process of its own'),
  LOG_LEVEL: live('What is logged'),
  API_BASE_URL: live('The address of the API'),
  PANEL_DOMAIN: live('The host name of the panel'),
  BASE_DOMAIN: live('Sites answer at {name}.{BASE_DOMAIN}'),
  PUBLIC_IP: live('The address of this server, as the Internet sees it'),
  SERVER_IP: live('As PUBLIC_IP where that is not set'),
  PUBLIC_IPV6: live('The public IPv6 address of this server; the address of an interface where it is not set'),
  PUBLIC_IP_SERVICE: live('The service that is asked for the public address of this server, behind NAT'),
  UPDATE_FEED_URL: live(
    'Where the newest release is asked for, once a day; nothing is asked where it is empty',
    atRound
  ),
  // The store
  DATABASE_URL: restart('secret', 'The store, where it is not embedded'),
  REDIS_URL: restart('secret', 'What several processes share sessions by'),
  STORE_RESERVE: restart('process', 'Kept free for the embedded store', { unit: 'bytes' }),
  STORE_CONNECTIONS: restart('process', 'Connections of each process to the store'),
  // Rounds of work
  RECONCILE_SECONDS: restart('process', 'Between repairs where something has changed', { unit: 'seconds' }),
  RECONCILE_FULL_SECONDS: restart('process', 'Between comparisons of everything with the store', { unit: 'seconds' }),
  JOB_POLL_SECONDS: restart('process', 'Between looks for jobs that no notice told of', { unit: 'seconds' }),
  RENEWAL_SECONDS: live('Between looks for certificates that are due', { unit: 'seconds' }),
  // Accounts
  SESSION_SECRET: restart('secret', 'Seals sessions'),
  ENCRYPTION_KEY: restart('secret', 'Seals secrets in the store'),
  METRICS_TOKEN: restart('secret', 'Bearer token for /metrics'),
  METRICS_SITES: restart('process', 'Sites that /metrics shows by themselves'),
  ALLOW_REGISTRATION: live('Whether strangers may make accounts; the very first user can always register'),
  REQUIRE_ADMIN_2FA: live('An ADMIN signs in only with two-factor', { counts: 'signIn' }),
  COOKIE_SECURE: restart('trust', 'Whether the session’s cookie is for HTTPS alone'),
  TRUSTED_PROXIES: restart('trust', 'Whose X-Forwarded-For counts'),
  PASSWORD_HASH: live('What a password costs to try: Argon2id’s memory in KiB and passes', {
    counts: 'password'
  }),
  AUTH_RATE_LIMIT_MAX: live('Tries to sign in, per client, route and 15 minutes'),
  LIVE_CONNECTIONS_PER_ACCOUNT: live('Connections of an account to the live channel of each process'),
  LIVE_HANDSHAKES_PER_MINUTE: live('New connections to the live channel of each process, per client'),
  AUDIT_RETENTION_DAYS: live('Older audit entries move to the archive', { unit: 'days', ...atRound }),
  AUDIT_MAX_ENTRIES: live('Of more audit entries than these, the oldest move to the archive', atRound),
  DEFAULT_MAX_PROJECTS: live('Projects of a new user: a number or unlimited'),
  DEFAULT_MAX_DOMAINS: live('Domains of a new user: a number or unlimited'),
  DEFAULT_MAX_DATABASES: live('Databases of a new user: a number or unlimited'),
  DEFAULT_MAX_MAILBOXES: live('Mailboxes of a new user: a number or unlimited'),
  DEFAULT_MAX_SUB_ACCOUNTS: live('Sub-accounts of a new user: a number or unlimited'),
  DEFAULT_MAX_DISK_MB: live('MiB on the disk of a new user: a number or unlimited'),
  DISK_MEASURE_SECONDS: live('Between measurements of what accounts have on the disk', { unit: 'seconds' }),
  DISK_GRACE_SECONDS: live('How long an account above its limit may grow before its containers stop', {
    unit: 'seconds'
  }),
  UPTIME_CHECKS_PER_ACCOUNT: live('Uptime checks that an account may have'),
  UPTIME_RUNS_KEEP_DAYS: live('How long each run of an uptime check is kept', { unit: 'days', ...atRound }),
  // Mail
  SMTP_URL: live('The mail server by which the panel sends', { isSecret: true }),
  MAIL_FROM: live('Sender of the panel’s own mail'),
  MAIL: live('Whether there are mail servers'),
  WEBMAIL: live('Whether there is webmail'),
  MAIL_SPAM_FILTER: live('Whether there is a spam filter'),
  MAIL_SPAM_LOOKUPS: live('Whether the spam filter asks blocklists'),
  MAIL_GREYLIST_SECONDS: live('After which a message that was put off is taken', { unit: 'seconds' }),
  SMTP_PORT: restart('listens', 'Of Postfix'),
  SUBMISSION_PORT: restart('listens', 'Of Postfix'),
  SUBMISSIONS_PORT: restart('listens', 'Of Postfix'),
  IMAP_PORT: restart('listens', 'Of Dovecot'),
  IMAPS_PORT: restart('listens', 'Of Dovecot'),
  MANAGESIEVE_PORT: restart('listens', 'Of Dovecot'),
  MAIL_AUTH_PORT: restart('listens', 'Between the mail servers'),
  MAIL_QUOTA_PORT: restart('listens', 'Between the mail servers'),
  MAIL_POLICY_PORT: restart('listens', 'Between the mail servers'),
  MAIL_SRS_PORT: restart('listens', 'Between the mail servers: envelope senders of forwarded mail'),
  MAIL_SRS_REVERSE_PORT: restart('listens', 'Between the mail servers: bounces of forwarded mail'),
  MAIL_FORWARD_PORT: restart('listens', 'Between the mail servers: forwarded mail'),
  LMTP_PORT: restart('listens', 'Between the mail servers'),
  MAIL_MESSAGE_LIMIT: live('Of one message', { unit: 'bytes' }),
  MAIL_HOURLY_MAILBOX: live('Recipients in an hour that one mailbox may write to'),
  MAIL_HOURLY_DOMAIN: live('Recipients in an hour that the mailboxes of a domain may write to'),
  MAIL_HOURLY_ACCOUNT: live('Recipients in an hour that the mailboxes of an account may write to'),
  MAIL_BLOCKLISTS: live('Zones that are asked whether they list this server'),
  MAIL_REPORTS_KEEP_DAYS: live('How long DMARC reports are kept', { unit: 'days', ...atRound }),
  MAILBOX_KEEP_DAYS: live('How long the mail of a mailbox that is deleted from now on can be restored', {
    unit: 'days'
  }),
  MAILBOX_IMPORTS: live('Imports of mailboxes that are at work at once', { counts: 'importBegun' }),
  NOTIFICATION_ALLOW: restart('trust', 'Private addresses that notifications may be sent to'),
  MAILBOX_IMPORT_ALLOW: restart('trust', 'Private addresses that imports may reach'),
  MAILBOX_IMPORT_CA_FILE: restart('trust', 'An authority that imports trust'),
  // DNS and certificates
  DNS_RESOLVERS: live('Asked for verification, delegation, propagation, and by the spam filter'),
  DNS_NAMESERVERS: live('Names of this server’s name servers'),
  DNS_PORT: restart('listens', 'Of the name server'),
  DNS_LISTEN: restart('listens', 'Where the name server answers'),
  DNS_SECONDARIES: live('May fetch the zones'),
  DNS_HOSTMASTER: live('Mail address in the zones'),
  PANEL_MOCK_DNS: restart('trust', 'Takes records as found, for trying things out'),
  ACME_DIRECTORY_URL: live('The authority of certificates'),
  ACME_EMAIL: live('Of the account at the authority'),
  ACME_CA_FILE: restart('trust', 'The certificate behind the authority’s address'),
  ACME_EAB_KID: live('Of the account at the authority', { isSecret: true }),
  ACME_EAB_HMAC_KEY: live('Of the account at the authority', { isSecret: true }),
  ACME_HTTP_PORT: restart('listens', 'Where the challenge path is looked at before an order'),
  ACME_CHECK_REACHABLE: live('Whether the challenge path is looked at before an order'),
  // Databases
  POSTGRES_ADMIN_URL: restart('secret', 'Another PostgreSQL for people’s databases'),
  MYSQL_ADMIN_URL: restart('secret', 'Another MariaDB or MySQL for people’s databases'),
  POSTGRES_PORT: restart('listens', 'Of the panel’s own engine'),
  MYSQL_PORT: restart('listens', 'Of the panel’s own engine'),
  POSTGRES_HOST: restart('name', 'How project containers reach PostgreSQL'),
  MYSQL_HOST: restart('name', 'How project containers reach MariaDB'),
  DATABASE_MEMORY_LIMIT: restart('program', 'Of each of the panel’s own engines', { unit: 'bytes' }),
  ACCOUNT_DATABASE_CONNECTIONS: live('Of an account’s containers to each of the panel’s own engines'),
  // Files
  PROJECTS_DIR: restart('place', 'Files of projects'),
  SSH_KEYS_DIR: restart('place', 'Deploy keys'),
  SFTP_HOST: live('The host that is shown with SFTP credentials'),
  SFTP_PORT: restart('listens', 'Of SFTP'),
  SFTP_ACCOUNT_SESSIONS: live('SFTP sessions of one account at once'),
  FILE_UPLOAD_MAX_MB: live('Of one file by the API', { unit: 'MB' }),
  ARCHIVE_MAX_SIZE: live('Unpacked, of an archive', { unit: 'bytes' }),
  ARCHIVE_MAX_ENTRIES: live('Entries of an archive'),
  WORDPRESS_IMPORT_MAX: live('Of an archive with a WordPress site', { unit: 'bytes' }),
  // Monitoring
  ALERT_CPU_PERCENT: live('Above it administrators are told', { unit: '%' }),
  ALERT_RAM_PERCENT: live('Above it administrators are told', { unit: '%' }),
  ALERT_DISK_PERCENT: live('Above it administrators are told', { unit: '%' }),
  // Containers
  PROXY_HTTP_PORT: restart('listens', 'Of sites'),
  PROXY_HTTPS_PORT: restart('listens', 'Of sites'),
  PROXY_UNLIMITED_SOURCES: restart('trust', 'Proxies in front of this one, for which limits per client do not hold'),
  DOCKER_SOCKET: restart('place', 'Of the container engine'),
  DEPLOY_PORT_RANGE_START: restart('program', 'First host port of containers'),
  DEPLOY_PORT_RANGE_END: restart('program', 'Last host port of containers'),
  CONTAINER_POOLS: restart('program', 'Ranges that networks of accounts come from'),
  EGRESS_DENY_PRIVATE: live('Whether containers are kept from private addresses'),
  EGRESS_ALLOW: live('Addresses that containers reach all the same'),
  ALLOW_CONTAINER_SMTP: live('Whether sites may use port 25'),
  DEPLOY_MEMORY_LIMIT: live('Of each container', { unit: 'bytes', ...atDeployment }),
  DEPLOY_CPU_LIMIT: live('Of each container', { unit: 'cores', ...atDeployment }),
  DEPLOY_PIDS_LIMIT: live('Processes of each container', atDeployment),
  DEPLOY_START_TIMEOUT: live('For a new container to answer', { unit: 'seconds' }),
  DEPLOY_DRAIN_SECONDS: live('For requests in hand before the old container ends', { unit: 'seconds' }),
  ACCOUNT_MEMORY_LIMIT: live('Of an account’s containers together, and of its builds', { unit: 'bytes' }),
  ACCOUNT_CPU_LIMIT: live('Of an account’s containers together, and of its builds', { unit: 'cores' }),
  ACCOUNT_PIDS_LIMIT: live('Processes of an account’s containers together, and of its builds'),
  CONTAINER_DISK_LIMIT: live('What a container may write to its own layer', { unit: 'bytes', ...atRound }),
  CONTAINER_FILES_LIMIT: live('Files that a container may write to its own layer', atRound),
  CONTAINER_DISK_SECONDS: live('Between measurements of that', { unit: 'seconds' }),
  KEEP_RELEASES: live('Images that are kept of a project', atRound),
  IMAGE_DISK_BUDGET: live('For the build cache', { unit: 'bytes', ...atRound }),
  MIN_FREE_DISK: live('Below it nothing is built, and no file or database comes in', { unit: 'bytes' }),
  // Builds
  BUILDER: restart('program', 'Which program decides how to build'),
  BUILDKIT_HOST: restart('program', 'BuildKit of railpack'),
  BUILD_IMAGE_PREFIX: restart('name', 'Images are <prefix>-<projectId>'),
  BUILD_IMAGE_NODE: restart('program', 'A base image, prepared at the start'),
  BUILD_IMAGE_COMPILERS: restart('program', 'A base image, prepared at the start'),
  BUILD_IMAGE_PYTHON: restart('program', 'A base image, prepared at the start'),
  BUILD_IMAGE_STATIC: restart('program', 'A base image, prepared at the start'),
  BUILD_IMAGE_PHP: restart('program', 'A base image, prepared at the start'),
  NPM_REGISTRY: restart('secret', 'The registry that builds ask, perhaps with a password'),
  PIP_INDEX_URL: restart('secret', 'The index that builds ask, perhaps with a password'),
  BUILD_PROXY: restart('secret', 'The HTTP proxy of builds, perhaps with a password'),
  BUILD_NO_PROXY: restart('program', 'What builds reach without the proxy'),
  BUILD_CPU_LIMIT: live('Of each build', { unit: 'cores', ...atBuild }),
  BUILD_MEMORY_LIMIT: live('Of each build', { unit: 'bytes', ...atBuild }),
  BUILD_PIDS_LIMIT: live('Processes of each build', atBuild),
  BUILD_TIMEOUT: live('Of a build', { unit: 'seconds', ...atBuild }),
  BUILD_CONCURRENCY: live('Builds at once', { counts: 'buildBegun' }),
  BUILD_CONTEXT_MAX: live('Of a repository that is built', { unit: 'bytes', ...atBuild }),
  BUILD_LOGS_KEPT: live('Build logs that are kept of a project', atRound),
  ACCOUNT_LOG_LIMIT: live('Build logs that are kept of an account', { unit: 'bytes', ...atRound }),
  // Git
  GIT_EXTRA_HOSTS: restart('trust', 'Self-hosted git'),
  GIT_MIRRORS: restart('trust', 'Where repositories are fetched from instead'),
  GIT_KNOWN_HOSTS: restart('trust', 'Keys of these hosts'),
  GIT_TIMEOUT: live('Of one fetch', { unit: 'seconds' }),
  GIT_MAX_SIZE: live('Of a repository', { unit: 'bytes' })
}

/** What an administrator changes while the panel runs. */
export const changeableVariables = (Object.keys(variableFacts) as VariableName[]).filter(
  (name) => variableFacts[name].restart === undefined
)

/** Secrets among them: their texts are encrypted in the store. */
export const secretVariables: ReadonlySet<string> = new Set(
  changeableVariables.filter((name) => variableFacts[name].isSecret)
)
