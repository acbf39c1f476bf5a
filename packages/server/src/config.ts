import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { isHostname } from './features/domains/hostname.policy.ts'
import {
  bytes,
  hostname,
  httpUrl,
  interval,
  mailFrom,
  parseAddresses,
  parsedBy,
  parseNameservers,
  parseProxies,
  parseResolvers,
  parseSecondaries,
  port,
  quota,
  secret,
  whole
} from './config-values.ts'
import { parseExtraHosts, parseGitMirrors } from './features/git/git-url.policy.ts'

// Addresses of a /20, less the engine's own range and the first few (features/domains/slot-address.policy.ts).
const maxHostPorts = 3_800

const Environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: whole(0, 65535).default(3000),
  PROXY_HTTP_PORT: port.default(80),
  PROXY_HTTPS_PORT: port.default(443),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  RECONCILE_SECONDS: interval.default(5),
  RECONCILE_FULL_SECONDS: interval.default(180),
  JOB_POLL_SECONDS: interval.default(5),
  RENEWAL_SECONDS: interval.default(60),
  SESSION_SECRET: secret,
  ENCRYPTION_KEY: secret.optional(),
  METRICS_TOKEN: z.string().min(16, 'must have 16 or more characters').optional(),
  ALLOW_REGISTRATION: z.stringbool().default(true),
  REQUIRE_ADMIN_2FA: z.stringbool().default(false),
  COOKIE_SECURE: z.enum(['auto', 'true', 'false']).default('auto'),
  TRUSTED_PROXIES: z.string().default('').pipe(parsedBy(parseProxies)),
  AUTH_RATE_LIMIT_MAX: whole(1, 1_000_000).default(5),
  DEFAULT_MAX_PROJECTS: quota,
  DEFAULT_MAX_DOMAINS: quota,
  DEFAULT_MAX_DATABASES: quota,
  DEFAULT_MAX_MAILBOXES: quota,
  DEFAULT_MAX_SUB_ACCOUNTS: quota,
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: mailFrom.optional(),
  API_BASE_URL: httpUrl.optional(),
  PANEL_DOMAIN: hostname.optional(),
  BASE_DOMAIN: hostname.default('apps.localhost'),
  PUBLIC_IP: z.ipv4().optional(),
  SERVER_IP: z.ipv4().optional(),
  DNS_RESOLVERS: z.string().default('1.1.1.1,8.8.8.8,9.9.9.9').pipe(parsedBy(parseResolvers)),
  DNS_NAMESERVERS: z.string().default('').pipe(parsedBy(parseNameservers)),
  DNS_PORT: port.default(53),
  DNS_LISTEN: z.string().default('').pipe(parsedBy(parseAddresses)),
  DNS_SECONDARIES: z.string().default('').pipe(parsedBy(parseSecondaries)),
  DNS_HOSTMASTER: z
    .string()
    .regex(/^[a-z0-9._-]{1,63}@[a-z0-9.-]{1,189}$/, 'must be an address such as hostmaster@example.com')
    .refine((address) => isHostname(address.split('@')[1] ?? ''), { error: 'must have a host name after the @' })
    .optional(),
  PANEL_MOCK_DNS: z.stringbool().default(false),
  ACME_DIRECTORY_URL: z.url({ protocol: /^https$/ }).optional(),
  ACME_EMAIL: z.email().optional(),
  ACME_CA_FILE: z.string().optional(),
  ACME_EAB_KID: z.string().optional(),
  ACME_EAB_HMAC_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]+=*$/, 'must be base64url')
    .optional(),
  ACME_HTTP_PORT: port.optional(),
  ACME_CHECK_REACHABLE: z.stringbool().default(true),
  POSTGRES_ADMIN_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  MYSQL_ADMIN_URL: z.url({ protocol: /^(mysql|mariadb)$/ }).optional(),
  POSTGRES_PORT: port.default(5432),
  MYSQL_PORT: port.default(3306),
  POSTGRES_HOST: z.string().optional(),
  MYSQL_HOST: z.string().optional(),
  SFTP_HOST: z.string().optional(),
  SFTP_PORT: port.default(22),
  FILE_UPLOAD_MAX_MB: whole(1, 1_000_000).default(100),
  ARCHIVE_MAX_SIZE: z.string().default('5g').pipe(bytes),
  ARCHIVE_MAX_ENTRIES: whole(1, 10_000_000).default(200_000),
  WORDPRESS_IMPORT_MAX: z.string().default('2g').pipe(bytes),
  PROJECTS_DIR: z.string().optional(),
  SSH_KEYS_DIR: z.string().optional(),
  DOCKER_SOCKET: z.string().default('/var/run/docker.sock'),
  DEPLOY_PORT_RANGE_START: port.default(8100),
  DEPLOY_PORT_RANGE_END: port.default(8999),
  DEPLOY_MEMORY_LIMIT: z.string().default('128m').pipe(bytes),
  DEPLOY_CPU_LIMIT: z.coerce.number().min(0.01).max(1024).default(1),
  DEPLOY_PIDS_LIMIT: whole(16, 100_000).default(256),
  DEPLOY_START_TIMEOUT: whole(1, 3600).default(60),
  DEPLOY_DRAIN_SECONDS: whole(0, 3600).default(30),
  KEEP_RELEASES: whole(1, 100).default(3),
  BUILDER: z.enum(['builtin', 'nixpacks', 'railpack']).default('builtin'),
  BUILDKIT_HOST: z.string().optional(),
  BUILD_IMAGE_PREFIX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._/-]{0,60}$/)
    .default('panel'),
  BUILD_IMAGE_NODE: z.string().default('node:20-bookworm-slim'),
  BUILD_IMAGE_PYTHON: z.string().default('python:3.11-slim-bookworm'),
  BUILD_IMAGE_STATIC: z.string().default('caddy:2'),
  BUILD_IMAGE_PHP: z.string().default('php:8.2-apache'),
  BUILD_CPU_LIMIT: z.coerce
    .number()
    .min(0.01)
    .max(1024)
    .default(Math.max(1, availableParallelism() - 1)),
  BUILD_MEMORY_LIMIT: z.string().default('2g').pipe(bytes),
  BUILD_PIDS_LIMIT: whole(32, 100_000).default(1024),
  BUILD_TIMEOUT: whole(10, 86_400).default(1800),
  BUILD_CONCURRENCY: whole(1, 64).default(Math.max(1, Math.floor(availableParallelism() / 2))),
  BUILD_CONTEXT_MAX: z.string().default('1g').pipe(bytes),
  IMAGE_DISK_BUDGET: z.string().default('20g').pipe(bytes),
  MIN_FREE_DISK: z.string().default('2g').pipe(bytes),
  GIT_MIRRORS: z.string().default('').pipe(parsedBy(parseGitMirrors)),
  GIT_EXTRA_HOSTS: z.string().default('').pipe(parsedBy(parseExtraHosts)),
  GIT_KNOWN_HOSTS: z.string().optional(),
  GIT_TIMEOUT: whole(5, 3600).default(300),
  GIT_MAX_SIZE: z.string().default('1g').pipe(bytes)
})

export type Config = Readonly<
  Omit<
    z.infer<typeof Environment>,
    'DATA_DIR' | 'PROJECTS_DIR' | 'SSH_KEYS_DIR' | 'ENCRYPTION_KEY' | 'API_BASE_URL' | 'MAIL_FROM' | 'DNS_HOSTMASTER'
  > & {
    /** Mail address of the zones' SOA records. */
    DNS_HOSTMASTER: string
    DATA_DIR: string
    PROJECTS_DIR: string
    SSH_KEYS_DIR: string
    ENCRYPTION_KEY: string
    API_BASE_URL: string
    MAIL_FROM: string
  }
>

/** Every bad variable at once, each with what is wrong with it. */
export class ConfigError extends Error {
  readonly problems: readonly { variable: string; problem: string }[]

  constructor(problems: readonly { variable: string; problem: string }[]) {
    super(`Bad configuration:\n${problems.map((p) => `  ${p.variable} ${p.problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Parses the environment once; an empty variable is none, paths come out absolute, defaults filled. Throws ConfigError. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => ({
        variable: String(issue.path[0] ?? 'environment'),
        problem:
          issue.code === 'invalid_type' && given[String(issue.path[0])] === undefined ? 'is missing' : issue.message
      }))
    )
  }
  const values = parsed.data
  if (values.DEPLOY_PORT_RANGE_END < values.DEPLOY_PORT_RANGE_START) {
    throw new ConfigError([{ variable: 'DEPLOY_PORT_RANGE_END', problem: 'must not be below DEPLOY_PORT_RANGE_START' }])
  }
  if (values.DEPLOY_PORT_RANGE_END - values.DEPLOY_PORT_RANGE_START >= maxHostPorts) {
    throw new ConfigError([
      {
        variable: 'DEPLOY_PORT_RANGE_END',
        problem: `must leave at most ${maxHostPorts} ports: each has an address on the proxy network`
      }
    ])
  }
  const dataDir = resolve(values.DATA_DIR)
  return Object.freeze({
    ...values,
    DATA_DIR: dataDir,
    PROJECTS_DIR: resolve(dataDir, values.PROJECTS_DIR ?? 'workspaces/projects'),
    SSH_KEYS_DIR: resolve(dataDir, values.SSH_KEYS_DIR ?? 'workspaces/keys'),
    ENCRYPTION_KEY: values.ENCRYPTION_KEY ?? values.SESSION_SECRET,
    DNS_NAMESERVERS:
      values.DNS_NAMESERVERS.length > 0
        ? values.DNS_NAMESERVERS
        : ['ns1', 'ns2'].map((label) => `${label}.${values.PANEL_DOMAIN ?? values.BASE_DOMAIN}`),
    DNS_HOSTMASTER: values.DNS_HOSTMASTER ?? `hostmaster@${values.PANEL_DOMAIN ?? values.BASE_DOMAIN}`,
    MAIL_FROM: values.MAIL_FROM ?? `no-reply@${values.PANEL_DOMAIN ?? values.BASE_DOMAIN}`,
    API_BASE_URL:
      values.API_BASE_URL ??
      (values.PANEL_DOMAIN ? `https://${values.PANEL_DOMAIN}` : `http://localhost:${values.PORT}`)
  })
}
