import type { SettingCountsFrom, SettingFixedReason, SettingGroup } from '@panel/contract/settings'
import type { VariableName } from '../config.ts'

/** Why a variable is read only at startup. */
export const restartReasons = {
  listens: 'the panel opens its ports at startup',
  place: 'files and programs are stored there',
  secret: 'it is a secret that is only set on the server',
  program: 'a program or the container engine is set up with it at startup',
  trust: 'it decides who is trusted, so a stolen administrator session must not change it',
  process: 'the process reads it only at startup'
} as const satisfies Record<Exclude<SettingFixedReason, 'environment'>, string>

/** When a change takes effect. */
export const countsTexts: Readonly<Record<SettingCountsFrom, string>> = {
  deployment: 'on the next deployment',
  build: 'on the next build',
  round: 'on the next run',
  signIn: 'on the next sign-in',
  password: 'when a password is set, and for other accounts as they sign in',
  importBegun: 'for imports that start afterwards',
  buildBegun: 'for builds that start afterwards'
}

export interface VariableFacts {
  group: SettingGroup
  title: string
  about: string
  unit?: 'bytes' | 'seconds' | 'days' | 'MB' | 'GB' | '%' | 'cores'
  /** Absent where an administrator can change it while the panel runs. */
  restart?: keyof typeof restartReasons
  /** When a change takes effect, unless immediately. */
  counts?: SettingCountsFrom
  /** Never shown; stored encrypted. */
  isSecret?: true
}

type More = Omit<VariableFacts, 'group' | 'title' | 'about' | 'restart'>
type Rows = Partial<Record<VariableName, VariableFacts>>

const live = (title: string, about: string, more: More = {}): Omit<VariableFacts, 'group'> => ({ title, about, ...more }) // oxfmt-ignore
const atStart = (restart: VariableFacts['restart'] & string, title: string, about: string, more: More = {}): Omit<VariableFacts, 'group'> => ({ title, about, restart, ...more }) // oxfmt-ignore
const inGroup = (group: SettingGroup, rows: Partial<Record<VariableName, Omit<VariableFacts, 'group'>>>): Rows =>
  Object.fromEntries(Object.entries(rows).map(([name, facts]) => [name, { group, ...facts }]))

const atDeployment = { counts: 'deployment' } as const
const atBuild = { counts: 'build' } as const
const atRound = { counts: 'round' } as const
const quotaOf = (what: string) => live(`${what} of a new account`, `Default quota: a number, or "unlimited".`)

// oxfmt-ignore
const names = inGroup('names', {
  PANEL_DOMAIN: live('Panel domain', 'The domain at which you open this panel, such as panel.example.com.'),
  BASE_DOMAIN: live('Domain of sites', 'Each project is served at <name>.<this domain>. Existing projects take the new domain on their next deployment.'),
  PUBLIC_IP: live('Public IPv4 address', 'DNS records that the panel creates or suggests point to this address.'),
  PUBLIC_IPV6: live('Public IPv6 address', 'Default: the first public IPv6 address of a network interface.'),
  PUBLIC_IP_SERVICE: live('Address lookup service', 'An HTTPS address that answers with the address it was called from. Used behind NAT, when you choose "Detect".'),
  SERVER_IP: live('Server address', 'Used where no public IPv4 address is set. Default: the first address of the machine.'),
  API_BASE_URL: live('URL of the API', 'Used in links and webhook URLs.')
})

// oxfmt-ignore
const accounts = inGroup('accounts', {
  ALLOW_REGISTRATION: live('Open registration', 'Anyone can create an account. The first account can always be created.'),
  REQUIRE_ADMIN_2FA: live('Require two-factor for administrators', 'Administrators can sign in only with two-factor.', { counts: 'signIn' }),
  DEFAULT_MAX_PROJECTS: quotaOf('Projects'),
  DEFAULT_MAX_DOMAINS: quotaOf('Domains'),
  DEFAULT_MAX_DATABASES: quotaOf('Databases'),
  DEFAULT_MAX_MAILBOXES: quotaOf('Mailboxes'),
  DEFAULT_MAX_SUB_ACCOUNTS: quotaOf('Sub-accounts'),
  DEFAULT_MAX_TCP_PORTS: quotaOf('Published TCP ports'),
  DEFAULT_MAX_DISK_MB: live('Disk space of a new account', 'Default disk quota in MiB: a number, or "unlimited".'),
  DISK_MEASURE_SECONDS: live('Disk usage interval', 'How often the disk usage of accounts is measured.', { unit: 'seconds' }),
  DISK_GRACE_SECONDS: live('Grace period above the disk quota', 'How long an account above its disk quota can keep growing before its containers are stopped.', { unit: 'seconds' }),
  BANS: live('Bans after failed sign-ins', 'Blocks an address from the whole server for a while after too many failed sign-ins, on the page Firewall.'),
  AUTH_RATE_LIMIT_MAX: live('Sign-in attempts', 'Attempts per client address and route within 15 minutes.'),
  PASSWORD_HASH: live('Password hash cost', 'Argon2id memory in KiB and passes, such as m=19456,t=2. Minimum: m=7168,t=5.', { counts: 'password' }),
  LIVE_CONNECTIONS_PER_ACCOUNT: live('Live connections per account', 'WebSocket connections of one account to each process.'),
  LIVE_HANDSHAKES_PER_MINUTE: live('New live connections per minute', 'New WebSocket connections per client address to each process.'),
  COOKIE_SECURE: atStart('trust', 'Secure session cookie', '"auto" sets the Secure attribute when the request or the URL of the API uses HTTPS.'),
  TRUSTED_PROXIES: atStart('trust', 'Trusted proxies', 'Addresses whose X-Forwarded-For header is used, besides the panel\u2019s own proxy.'),
  SESSION_SECRET: atStart('secret', 'Session secret', 'Signs session cookies. At least 32 characters; generated on first start.'),
  ENCRYPTION_KEY: atStart('secret', 'Encryption key', 'Encrypts secrets in the panel database. The panel does not start with a different key.')
})

// oxfmt-ignore
const dns = inGroup('dns', {
  DNS_NAMESERVERS: live('Name servers', 'Hostnames of this server\u2019s name servers, comma-separated.'),
  DNS_HOSTMASTER: live('Hostmaster address', 'The contact address in the SOA records of zones.'),
  DNS_SECONDARIES: live('Secondary name servers', 'ip[@port], comma-separated. They are notified of changes and may transfer the zones.'),
  DNS_RESOLVERS: live('DNS resolvers', 'ip[:port], comma-separated. Used to verify domains and to check delegation and propagation.'),
  DNS_PORT: atStart('listens', 'Port of the name server', 'Port on which Knot DNS answers.'),
  DNS_LISTEN: atStart('listens', 'Addresses of the name server', 'Addresses on which Knot DNS answers. Default: all.'),
  PANEL_MOCK_DNS: atStart('trust', 'Simulated DNS checks', 'For trying the panel out: verification can be requested with ?mock=true.')
})

// oxfmt-ignore
const certificates = inGroup('certificates', {
  ACME_EMAIL: live('Contact address', 'Your certificate authority sends notices to this address.'),
  ACME_DIRECTORY_URL: live('Certificate authority', 'ACME directory URL. Default: Let\u2019s Encrypt.'),
  ACME_EAB_KID: live('EAB key ID', 'External account binding, for authorities that require it (such as ZeroSSL).', { isSecret: true }),
  ACME_EAB_HMAC_KEY: live('EAB HMAC key', 'The base64url key that belongs to the EAB key ID.', { isSecret: true }),
  ACME_CHECK_REACHABLE: live('Check before ordering', 'Requests the HTTP challenge path from this server before an order, so that a wrong DNS record does not use up rate limits.'),
  RENEWAL_SECONDS: live('Renewal check interval', 'How often certificates are checked for renewal.', { unit: 'seconds' }),
  ACME_CA_FILE: atStart('trust', 'CA file of the authority', 'PEM file with the root certificate behind the ACME directory.'),
  ACME_HTTP_PORT: atStart('listens', 'Port of the HTTP check', 'Port for the check before an order. Default: the HTTP port of sites.')
})

// oxfmt-ignore
const mail = inGroup('mail', {
  MAIL: live('Mail server', 'Runs Postfix and Dovecot, so that accounts can have mailboxes. Turning it on installs them.'),
  WEBMAIL: live('Webmail', 'Serves Roundcube at webmail.<panel domain>. Needs the mail server and a panel domain.'),
  MAIL_SPAM_FILTER: live('Spam filter', 'Runs Rspamd, which needs about 270 MB of memory.'),
  MAIL_SPAM_LOOKUPS: live('Spam blocklists', 'The spam filter queries public DNS blocklists.'),
  MAIL_GREYLIST_SECONDS: live('Greylisting delay', 'A deferred message is accepted when it is retried after this time.', { unit: 'seconds' }),
  MAIL_MESSAGE_LIMIT: live('Message size limit', 'Largest message that is accepted.', { unit: 'bytes' }),
  SMTP_URL: live('SMTP relay for panel mail', 'smtp://user:password@host:587 or smtps://…. The panel sends invitations, password resets and notifications through it.', { isSecret: true }),
  MAIL_FROM: live('Sender of panel mail', 'From address of the panel\u2019s own mail.'),
  MAIL_HOURLY_MAILBOX: live('Hourly limit per mailbox', 'Recipients per hour.'),
  MAIL_HOURLY_DOMAIN: live('Hourly limit per domain', 'Recipients per hour of all mailboxes of a domain.'),
  MAIL_HOURLY_ACCOUNT: live('Hourly limit per account', 'Recipients per hour of all mailboxes of an account.'),
  MAIL_BLOCKLISTS: live('Blocklists to check', 'DNS blocklists that are checked for this server\u2019s addresses, comma-separated.'),
  MAILBOX_IMPORTS: live('Parallel mailbox imports', 'Mailbox imports that run at the same time.', { counts: 'importBegun' }),
  SMTP_PORT: atStart('listens', 'SMTP port', 'Port of Postfix for incoming mail.'),
  SUBMISSION_PORT: atStart('listens', 'Submission port', 'Port of Postfix for mail clients (STARTTLS).'),
  SUBMISSIONS_PORT: atStart('listens', 'Submissions port', 'Port of Postfix for mail clients (TLS).'),
  IMAP_PORT: atStart('listens', 'IMAP port', 'Port of Dovecot (STARTTLS).'),
  IMAPS_PORT: atStart('listens', 'IMAPS port', 'Port of Dovecot (TLS).'),
  MANAGESIEVE_PORT: atStart('listens', 'ManageSieve port', 'Port of Dovecot for filters.'),
  MAIL_AUTH_PORT: atStart('listens', 'Authentication port', 'Internal, on 127.0.0.1.'),
  MAIL_QUOTA_PORT: atStart('listens', 'Quota port', 'Internal, on 127.0.0.1.'),
  MAIL_POLICY_PORT: atStart('listens', 'Policy port', 'Internal, on 127.0.0.1.'),
  MAIL_SRS_PORT: atStart('listens', 'SRS port', 'Internal, on 127.0.0.1: rewrites the envelope senders of forwarded mail.'),
  MAIL_SRS_REVERSE_PORT: atStart('listens', 'SRS reverse port', 'Internal, on 127.0.0.1: bounces of forwarded mail.'),
  MAIL_FORWARD_PORT: atStart('listens', 'Forwarding port', 'Internal, on 127.0.0.1: forwarded mail.'),
  LMTP_PORT: atStart('listens', 'LMTP port', 'Internal, on 127.0.0.1: local delivery.'),
  MAILBOX_IMPORT_ALLOW: atStart('trust', 'Private import sources', 'Private addresses or networks that mailbox imports may connect to.'),
  MAILBOX_IMPORT_CA_FILE: atStart('trust', 'CA file for imports', 'PEM file of an authority that mailbox imports trust.')
})

// oxfmt-ignore
const containers = inGroup('containers', {
  DEPLOY_MEMORY_LIMIT: live('Memory per container', 'Memory limit of each container.', { unit: 'bytes', ...atDeployment }),
  DEPLOY_CPU_LIMIT: live('CPU per container', 'CPU limit of each container.', { unit: 'cores', ...atDeployment }),
  DEPLOY_PIDS_LIMIT: live('Processes per container', 'Process limit of each container.', atDeployment),
  ACCOUNT_MEMORY_LIMIT: live('Memory per account', 'All containers of an account together; its builds have the same limit again.', { unit: 'bytes' }),
  ACCOUNT_CPU_LIMIT: live('CPU per account', 'All containers of an account together; its builds have the same limit again.', { unit: 'cores' }),
  ACCOUNT_PIDS_LIMIT: live('Processes per account', 'All containers of an account together; its builds have the same limit again.'),
  CONTAINER_DISK_LIMIT: live('Writable disk per container', 'What a container may write outside its volumes.', { unit: 'bytes', ...atRound }),
  CONTAINER_FILES_LIMIT: live('Files per container', 'Files that a container may create outside its volumes.', atRound),
  CONTAINER_DISK_SECONDS: live('Container disk interval', 'How often the disk usage of containers is measured.', { unit: 'seconds' }),
  DEPLOY_START_TIMEOUT: live('Start timeout', 'How long a new container has to answer before the deployment fails.', { unit: 'seconds' }),
  DEPLOY_DRAIN_SECONDS: live('Drain time', 'How long the previous container finishes requests after a deployment.', { unit: 'seconds' }),
  MIN_FREE_DISK: live('Minimum free disk space', 'Below this, builds, uploads and new databases are refused.', { unit: 'bytes' }),
  EGRESS_DENY_PRIVATE: live('Block private networks', 'Containers cannot reach private addresses.'),
  EGRESS_ALLOW: live('Allowed private addresses', 'Addresses or networks that containers may reach in spite of that, comma-separated.'),
  MACHINE_TUNNEL_PORT: live('Port of the encrypted network', 'UDP port of WireGuard on this server and on each machine in the encrypted network.'),
  MACHINE_TUNNEL_SUBNET: live('Addresses of the encrypted network', 'Machines that join it afterwards get their addresses from this range.'),
  ALLOW_CONTAINER_SMTP: live('Allow outgoing SMTP', 'Containers may connect to port 25 of other servers.'),
  PROXY_HTTP_PORT: atStart('listens', 'HTTP port of sites', 'Port on which HAProxy serves HTTP.'),
  PROXY_HTTPS_PORT: atStart('listens', 'HTTPS port of sites', 'Port on which HAProxy serves HTTPS.'),
  TCP_PORTS: atStart('listens', 'Published TCP ports', 'Ports such as 20000-20099 that projects can publish for what is not HTTP, or "off".'),
  TCP_TLS_PORT: atStart('listens', 'Published TLS port', 'Port on which TLS connections that are not HTTP reach a project by its name. Off if not set.'),
  PROXY_UNLIMITED_SOURCES: atStart('trust', 'Proxies without limits', 'A CDN or load balancer in front of this server: per-client limits do not apply to it.'),
  DOCKER_SOCKET: atStart('place', 'Docker socket', 'Path of the container engine\u2019s socket.'),
  DEPLOY_PORT_RANGE_START: atStart('program', 'First container port', 'First port on 127.0.0.1 for containers.'),
  DEPLOY_PORT_RANGE_END: atStart('program', 'Last container port', 'Last port on 127.0.0.1 for containers.'),
  CONTAINER_POOLS: atStart('program', 'Container networks', 'Address ranges from which accounts get their networks.')
})

// oxfmt-ignore
const builds = inGroup('builds', {
  BUILD_CONCURRENCY: live('Parallel builds', 'Builds that run at the same time.', { counts: 'buildBegun' }),
  BUILD_TIMEOUT: live('Build timeout', 'A build that takes longer fails.', { unit: 'seconds', ...atBuild }),
  BUILD_CPU_LIMIT: live('CPU per build', 'CPU limit of each build.', { unit: 'cores', ...atBuild }),
  BUILD_MEMORY_LIMIT: live('Memory per build', 'Memory limit of each build.', { unit: 'bytes', ...atBuild }),
  BUILD_PIDS_LIMIT: live('Processes per build', 'Process limit of each build.', atBuild),
  BUILD_CONTEXT_MAX: live('Build context size', 'Largest repository that is built.', { unit: 'bytes', ...atBuild }),
  IMAGE_DISK_BUDGET: live('Build cache size', 'Disk space for the build cache.', { unit: 'bytes' }),
  BUILD_CACHE_DAYS: live('Build cache age', 'Older build cache that no release needs is removed.', { unit: 'days' }),
  GIT_TIMEOUT: live('Git timeout', 'Time limit of one fetch.', { unit: 'seconds' }),
  GIT_MAX_SIZE: live('Repository size', 'Largest repository that is fetched.', { unit: 'bytes' }),
  GIT_EXTRA_HOSTS: atStart('trust', 'Self-hosted Git servers', 'host[:port], comma-separated.'),
  GIT_MIRRORS: atStart('trust', 'Git mirrors', 'host=base-url, comma-separated: repositories of the host are fetched from there.'),
  GIT_KNOWN_HOSTS: atStart('trust', 'SSH host keys', 'known_hosts lines of self-hosted Git servers.'),
  BUILDER: atStart('program', 'Builder', '"builtin", or an installed nixpacks or railpack.'),
  BUILDKIT_HOST: atStart('program', 'BuildKit address', 'BuildKit that railpack uses.'),
  BUILD_IMAGE_PREFIX: atStart('program', 'Image prefix', 'Images are named <prefix>-<project id>.'),
  BUILD_IMAGE_NODE: atStart('program', 'Node.js image', 'Base image of Node.js projects; {version} is replaced by the version of a project.'),
  BUILD_IMAGE_COMPILERS: atStart('program', 'Compiler image', 'Node.js image with python3, make and g++ for build stages.'),
  BUILD_IMAGE_PYTHON: atStart('program', 'Python image', 'Base image of Python projects; {version} is replaced by the version of a project.'),
  BUILD_IMAGE_STATIC: atStart('program', 'Static site image', 'Base image of static sites.'),
  BUILD_IMAGE_PHP: atStart('program', 'PHP image', 'Base image of PHP and WordPress projects; {version} is replaced by the version of a project.'),
  REGISTRY_ALLOW: atStart('trust', 'Private image registries', 'Private addresses or networks that images may be pulled from, comma-separated. Those of this machine are queried over HTTP.'),
  NPM_REGISTRY: atStart('secret', 'npm registry', 'Registry that builds use; the URL may contain a password.'),
  PIP_INDEX_URL: atStart('secret', 'Python package index', 'Index that builds use; the URL may contain a password.'),
  BUILD_PROXY: atStart('secret', 'HTTP proxy of builds', 'The URL may contain a password.'),
  BUILD_NO_PROXY: atStart('program', 'Proxy exceptions', 'Hosts, domains and networks that builds reach without the proxy.')
})

// oxfmt-ignore
const files = inGroup('files', {
  FILE_UPLOAD_MAX_MB: live('Upload size', 'Largest file that the API accepts. SFTP has no such limit.', { unit: 'MB' }),
  ARCHIVE_MAX_SIZE: live('Archive size', 'Unpacked size of an archive that is extracted or imported.', { unit: 'bytes' }),
  ARCHIVE_MAX_ENTRIES: live('Archive entries', 'Entries of an archive that is extracted or imported.'),
  WORDPRESS_IMPORT_MAX: live('WordPress import size', 'Largest archive of a WordPress site.', { unit: 'bytes' }),
  SFTP_HOST: live('SFTP hostname', 'Shown with SFTP credentials. Default: the panel domain, then the public address.'),
  SFTP_ACCOUNT_SESSIONS: live('SFTP sessions per account', 'Sessions of an account at the same time.'),
  SFTP_PORT: atStart('listens', 'SFTP port', 'Port of the SFTP server.'),
  ACCOUNT_DATABASE_CONNECTIONS: live('Database connections per account', 'Connections of an account\u2019s containers to each of the panel\u2019s database servers.'),
  POSTGRES_ADMIN_URL: atStart('secret', 'External PostgreSQL', 'Databases are created on this server instead of the panel\u2019s own.'),
  MYSQL_ADMIN_URL: atStart('secret', 'External MariaDB or MySQL', 'Databases are created on this server instead of the panel\u2019s own.'),
  POSTGRES_PORT: atStart('listens', 'PostgreSQL port', 'Port of the panel\u2019s own PostgreSQL.'),
  MYSQL_PORT: atStart('listens', 'MariaDB port', 'Port of the panel\u2019s own MariaDB.'),
  POSTGRES_HOST: atStart('program', 'PostgreSQL host for containers', 'Default: the gateway of the containers\u2019 network, or the host of the external server.'),
  MYSQL_HOST: atStart('program', 'MariaDB host for containers', 'Default: the gateway of the containers\u2019 network, or the host of the external server.'),
  DATABASE_MEMORY_LIMIT: atStart('program', 'Memory of database servers', 'Memory limit of each of the panel\u2019s own database servers.', { unit: 'bytes' }),
  PROJECTS_DIR: atStart('place', 'Project files', 'Directory of the files of projects.'),
  SSH_KEYS_DIR: atStart('place', 'Deploy keys', 'Directory of deploy keys.')
})

// oxfmt-ignore
const monitoring = inGroup('monitoring', {
  ALERT_CPU_PERCENT: live('CPU alert', 'Administrators are notified above this.', { unit: '%' }),
  ALERT_RAM_PERCENT: live('Memory alert', 'Administrators are notified above this.', { unit: '%' }),
  ALERT_DISK_PERCENT: live('Disk alert', 'Administrators are notified above this.', { unit: '%' }),
  ALERT_DISK_DAYS: live('Disk forecast alert', 'Administrators are notified when the disk will be full within this time at the current growth.', { unit: 'days' }),
  SERVER_DISK_SECONDS: live('Server disk interval', 'How often the usage of the server\u2019s disks is measured. Large servers are measured less often.', { unit: 'seconds' }),
  UPTIME_CHECKS_PER_ACCOUNT: live('Uptime checks per account', 'Uptime checks that an account can have.'),
  SCHEDULED_JOBS_PER_ACCOUNT: live('Scheduled jobs per account', 'Scheduled jobs that an account can have.'),
  RUNS_PER_ACCOUNT: live('Concurrent runs per account', 'Scheduled jobs and one-off commands of an account that run at the same time; others wait.'),
  TERMINALS_PER_ACCOUNT: live('Terminals per account', 'Terminals that an account can have open at the same time; 0 turns terminals off.'),
  TERMINAL_IDLE_SECONDS: live('Terminal idle limit', 'A terminal without input and output for this time ends.', { unit: 'seconds' }),
  TERMINAL_MAX_SECONDS: live('Longest terminal', 'Every terminal ends after this time.', { unit: 'seconds' }),
  WORKERS_PER_ACCOUNT: live('Workers per account', 'Instances of all workers that an account can have.'),
  NOTIFICATION_ALLOW: atStart('trust', 'Private notification targets', 'Private addresses or networks that notifications may be sent to, also over HTTP and on any port.'),
  METRICS_TOKEN: atStart('secret', 'Metrics token', 'Bearer token for /metrics.'),
  METRICS_SITES: atStart('process', 'Sites in metrics', 'Sites that /metrics lists one by one; the others are summed up.')
})

// oxfmt-ignore
const retention = inGroup('retention', {
  KEEP_RELEASES: live('Releases per project', 'Images that are kept for rollbacks.'),
  BUILD_LOGS_KEPT: live('Build logs per project', 'Build logs that are kept.', atRound),
  ACCOUNT_LOG_LIMIT: live('Build logs per account', 'Disk space for the build logs of an account.', { unit: 'bytes', ...atRound }),
  AUDIT_RETENTION_DAYS: live('Audit log', 'Older entries are moved to the archive.', { unit: 'days', ...atRound }),
  AUDIT_MAX_ENTRIES: live('Audit log entries', 'Above this number the oldest entries are moved to the archive.', atRound),
  UPTIME_RUNS_KEEP_DAYS: live('Uptime check results', 'How long single results are kept. Hourly figures are kept for 95 days.', { unit: 'days', ...atRound }),
  MAIL_REPORTS_KEEP_DAYS: live('DMARC reports', 'How long reports are kept.', { unit: 'days', ...atRound }),
  MAILBOX_KEEP_DAYS: live('Deleted mailboxes', 'How long a deleted mailbox can be restored.', { unit: 'days' })
})

// oxfmt-ignore
const server = inGroup('server', {
  LOG_LEVEL: live('Log level', 'Least severe level that is logged.'),
  UPDATE_FEED_URL: live('Update feed', 'URL of a JSON file that names the latest release, fetched once a day.', atRound),
  UPDATE_PUBLIC_KEY: atStart('trust', 'Key of releases', 'minisign public key (the line that starts with RW) that upgrades are verified with.'),
  HOST: atStart('listens', 'Listen address', 'With ./panel up, all addresses become 127.0.0.1 once the panel domain has a certificate.'),
  PORT: atStart('listens', 'Port of the API', 'Port on which the API listens.'),
  DATA_DIR: atStart('place', 'Data directory', 'Directory of all state.'),
  NODE_ENV: atStart('trust', 'Environment', '"test" allows simulated DNS checks and uses no public certificate authority.'),
  WEB_PROCESS: atStart('process', 'Web process', '"auto" serves the API from an unprivileged process where possible; "separate" requires it; "inside" does not.'),
  DATABASE_URL: atStart('secret', 'Panel database', 'PostgreSQL URL of the panel database. Default: embedded.'),
  REDIS_URL: atStart('secret', 'Session store', 'Redis URL. Required for several panel processes, together with an external panel database.'),
  STORE_RESERVE: atStart('process', 'Database disk reserve', 'A file of this size is deleted when the disk is full, so that the embedded panel database can start.', { unit: 'bytes' }),
  STORE_CONNECTIONS: atStart('process', 'Panel database connections', 'Connections of each process to the panel database.'),
  RECONCILE_SECONDS: atStart('process', 'Repair interval', 'How often changed resources are compared with the panel database.', { unit: 'seconds' }),
  RECONCILE_FULL_SECONDS: atStart('process', 'Full repair interval', 'How often all resources are compared with the panel database.', { unit: 'seconds' }),
  FIREWALL_CONFIRM_SECONDS: live('Firewall confirmation', 'How long a firewall change stays in force until you confirm it. Then it is reverted.', { unit: 'seconds' }),
  JOB_POLL_SECONDS: atStart('process', 'Job poll interval', 'How often jobs are polled for, in case a notification was lost.', { unit: 'seconds' })
})

/** All variables. Read changeable ones from the configuration on each use; a copy would not follow changes. */
export const variableFacts = {
  ...names,
  ...accounts,
  ...dns,
  ...certificates,
  ...mail,
  ...containers,
  ...builds,
  ...files,
  ...monitoring,
  ...retention,
  ...server
} as Readonly<Record<VariableName, VariableFacts>>

/** What an administrator can change while the panel runs. */
export const changeableVariables = (Object.keys(variableFacts) as VariableName[]).filter(
  (name) => variableFacts[name].restart === undefined
)

/** Secrets among them: their values are encrypted in the store. */
export const secretVariables: ReadonlySet<string> = new Set(
  changeableVariables.filter((name) => variableFacts[name].isSecret)
)
