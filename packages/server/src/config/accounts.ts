import { isIP } from 'node:net'
import { z } from 'zod'
import { listOf, parsedBy, quota, secret, whole } from './values.ts'

/** Accounts, how they sign in, and their quotas. */
export const accountVariables = {
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
  DEFAULT_MAX_SUB_ACCOUNTS: quota
}

export const accountDefaults = (values: { ENCRYPTION_KEY?: string | undefined; SESSION_SECRET: string }) => ({
  ENCRYPTION_KEY: values.ENCRYPTION_KEY ?? values.SESSION_SECRET
})

/** Addresses, networks in CIDR form, and the names that Fastify knows. Throws with a sentence that says what is wrong. */
function parseProxies(text: string): string[] {
  const proxies = listOf(text)
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
