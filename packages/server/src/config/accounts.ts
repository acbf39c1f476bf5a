import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { parsePasswordCost } from '../security/password-hash.policy.ts'
import { parsedBy, parseNetworks, quota, secret, whole } from './values.ts'

/** Accounts, sign-in and quotas. */
export const accountVariables = {
  SESSION_SECRET: secret,
  ENCRYPTION_KEY: secret.optional(),
  METRICS_TOKEN: z.string().min(16, 'must have 16 or more characters').optional(),
  METRICS_SITES: whole(0, 10_000).default(500),
  ALLOW_REGISTRATION: z.stringbool().default(true),
  REQUIRE_ADMIN_2FA: z.stringbool().default(false),
  COOKIE_SECURE: z.enum(['auto', 'true', 'false']).default('auto'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .pipe(parsedBy((text) => parseNetworks(text, ['loopback', 'linklocal', 'uniquelocal']))),
  PASSWORD_HASH: z.string().default('m=19456,t=2').pipe(parsedBy(parsePasswordCost)),
  /** Blocks addresses after failed sign-ins. */
  BANS: z.stringbool().default(true),
  AUTH_RATE_LIMIT_MAX: whole(1, 1_000_000).default(5),
  LIVE_CONNECTIONS_PER_ACCOUNT: whole(1, 10_000).default(50),
  LIVE_HANDSHAKES_PER_MINUTE: whole(1, 1_000_000).default(300),
  AUDIT_RETENTION_DAYS: whole(1, 36_500).default(365),
  AUDIT_MAX_ENTRIES: whole(10_000, 1_000_000_000).default(1_000_000),
  DEFAULT_MAX_PROJECTS: quota,
  DEFAULT_MAX_DOMAINS: quota,
  DEFAULT_MAX_DATABASES: quota,
  DEFAULT_MAX_MAILBOXES: quota,
  DEFAULT_MAX_SUB_ACCOUNTS: quota,
  DEFAULT_MAX_DISK_MB: quota,
  DEFAULT_MAX_TCP_PORTS: quota,
  UPTIME_CHECKS_PER_ACCOUNT: whole(0, 10_000).default(50),
  /** Days to keep single runs of uptime checks; hourly figures are kept for 95 days. */
  UPTIME_RUNS_KEEP_DAYS: whole(1, 30).default(3),
  SCHEDULED_JOBS_PER_ACCOUNT: whole(0, 100_000).default(100),
  RUNS_PER_ACCOUNT: whole(1, 100).default(4),
  TERMINALS_PER_ACCOUNT: whole(0, 100).default(4),
  TERMINAL_IDLE_SECONDS: whole(1, 86_400).default(900),
  TERMINAL_MAX_SECONDS: whole(1, 604_800).default(28_800),
  WORKERS_PER_ACCOUNT: whole(0, 10_000).default(20),
  DISK_MEASURE_SECONDS: whole(10, 86_400).default(600),
  DISK_GRACE_SECONDS: whole(0, 2_592_000).default(3600)
}

export function accountDefaults(values: { ENCRYPTION_KEY?: string | undefined; SESSION_SECRET: string }) {
  const ENCRYPTION_KEY = values.ENCRYPTION_KEY ?? values.SESSION_SECRET
  return {
    ENCRYPTION_KEY,
    /** Seals pending audit entries. Derived, not a variable; reveals nothing about ENCRYPTION_KEY. */
    auditEntryKey: createHmac('sha256', ENCRYPTION_KEY).update('entries of the audit log').digest('hex')
  }
}
