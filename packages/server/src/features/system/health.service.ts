import { sql } from 'drizzle-orm'
import type { Health } from '@panel/contract/system'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../errors.ts'

type Part = Health['parts'][string]

const remedies: Readonly<Record<string, string>> = {
  store: 'Check DATABASE_URL and that the server runs',
  sessionStore: 'Check REDIS_URL and that the server runs; sign-ins go on from the database meanwhile',
  containerEngine: 'Start the container engine, or run ./panel up; check DOCKER_SOCKET',
  reverseProxy: 'Run ./panel up, which starts it',
  nameServer: 'Run ./panel up, which starts it; ./panel doctor says more',
  postgresql: 'Run ./panel up, which starts it, or check POSTGRES_ADMIN_URL; ./panel doctor says more',
  mysql: 'Run ./panel up, which starts it, or check MYSQL_ADMIN_URL; ./panel doctor says more',
  sftpServer: 'Run ./panel up, which starts it, or check the SSH server on SFTP_PORT',
  git: 'Install git'
}

// Public, so its work is bounded: looked at once in this time, however many ask.
// Of what this process sees.
const cacheMs = 2_000
const partTimeoutMs = 3_000

/** Looks at every real part, each within a time limit of its own. Versions are for `./panel doctor`: this answer is public. */
export function createHealthCheck(
  deps: Pick<
    Dependencies,
    'db' | 'sessions' | 'engine' | 'proxy' | 'dnsServer' | 'databaseServers' | 'sftpServer' | 'gitVersion'
  >,
  version: string
) {
  const checks: Record<string, () => Promise<unknown>> = {
    store: () => deps.db.execute(sql`select 1`),
    sessionStore: () => deps.sessions.ping(),
    containerEngine: () => deps.engine.ping(),
    reverseProxy: () => deps.proxy.ping(),
    nameServer: () => deps.dnsServer.ping(),
    postgresql: () => deps.databaseServers.POSTGRESQL.ping(),
    mysql: () => deps.databaseServers.MYSQL.ping(),
    sftpServer: () => deps.sftpServer.ping(),
    git: () => deps.gitVersion()
  }
  let cached: { at: number; health: Promise<Health> } | undefined
  const look = async (): Promise<Health> => ({
    status: 'ok',
    version,
    parts: Object.fromEntries(
      await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await lookAt(name, check)] as const))
    )
  })
  return (): Promise<Health> => {
    if (!cached || performance.now() - cached.at > cacheMs) cached = { at: performance.now(), health: look() }
    return cached.health
  }
}

async function lookAt(name: string, check: () => Promise<unknown>): Promise<Part> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it does not answer')), partTimeoutMs)
  })
  try {
    await Promise.race([check(), timeout])
    return { status: 'ok' }
  } catch (error) {
    const missing = /ENOENT|not installed/.test(
      messageOf(error) + messageOf((error as { cause?: unknown }).cause ?? '')
    )
    return { status: missing ? 'missing' : 'unreachable', remedy: remedies[name] ?? '' }
  } finally {
    clearTimeout(timer)
  }
}
