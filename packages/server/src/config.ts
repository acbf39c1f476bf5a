import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { isHostname } from './features/domains/hostname.policy.ts'
import { parseExtraHosts, parseGitMirrors } from './features/git/git-url.policy.ts'

// Addresses of a /20, less the engine's own range and the first few (features/domains/slot-address.policy.ts).
const maxHostPorts = 3_800

const exampleSecrets = /change.?me|example|secret.?key|your.?secret|password|^(.)\1*$/i

const secret = z
  .string()
  .min(32, 'must have 32 or more characters')
  .refine((value) => !exampleSecrets.test(value), { error: 'is an example value; make one with: openssl rand -hex 32' })

/** `128m`, `1g`, `65536`: bytes with an optional binary suffix. */
const bytes = z
  .string()
  .regex(/^[1-9]\d{0,11}(b|k|m|g)?$/i, 'must be a size such as 128m or 1g')
  .transform(
    (text) =>
      parseInt(text, 10) *
      { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }[(/[bkmg]$/i.exec(text)?.[0] ?? 'b').toLowerCase()]!
  )

const port = z.coerce.number().int().min(1).max(65535)
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const hostname = z.string().toLowerCase().refine(isHostname, { error: 'must be a host name' })
const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
const quota = whole(0, 1_000_000).optional()
/** `name@host` or `Name <name@host>`. */
const mailFrom = z
  .string()
  .max(254)
  .regex(/^(?:[^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, 'must be an address, or Name <address>')
const parsedBy = <T>(parse: (text: string) => T) =>
  z.string().transform((text, context) => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      return z.NEVER
    }
  })

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
    'DATA_DIR' | 'PROJECTS_DIR' | 'SSH_KEYS_DIR' | 'ENCRYPTION_KEY' | 'API_BASE_URL' | 'MAIL_FROM'
  > & {
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
    MAIL_FROM: values.MAIL_FROM ?? `no-reply@${values.PANEL_DOMAIN ?? values.BASE_DOMAIN}`,
    API_BASE_URL:
      values.API_BASE_URL ??
      (values.PANEL_DOMAIN ? `https://${values.PANEL_DOMAIN}` : `http://localhost:${values.PORT}`)
  })
}

/** Addresses, networks in CIDR form, and the names that Fastify knows. Throws with a sentence that says what is wrong. */
function parseProxies(text: string): string[] {
  const proxies = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const bad = proxies.find((proxy) => !isProxy(proxy))
  if (bad !== undefined) throw new Error(`must be addresses such as 10.0.0.1 or 10.0.0.0/8, not "${bad}"`)
  return proxies
}

function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  return family !== 0 && fits && more.length === 0
}
