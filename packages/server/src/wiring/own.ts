import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { panelConnections } from '../net/connection-limits.policy.ts'
import { type Database, openDatabase } from '../db/database.ts'
import type { Dependencies } from '../dependencies.ts'
import { features, queueNames } from '../features/index.ts'
import type { JobQueue } from '../infra/job-queue/job-queue.ts'
import { createJobQueue } from '../infra/job-queue/pg-boss-queue.ts'
import { createSmtpMailer } from '../infra/mailer/smtp-mailer.ts'
import { readMachineResources } from '../infra/process/machine-resources.ts'
import { ownNameServers } from '../infra/dns-server/own-name-servers.ts'
import { createHttpUpdateFeed } from '../infra/update-feed/http-update-feed.ts'
import { createPublicDns } from '../infra/public-dns/resolvers.ts'
import { createFailureCounter, createRateLimiter } from '../infra/rate-limiter/rate-limiter.ts'

const authWindowSeconds = 15 * 60
/** Allows an office behind one address to set up all its mail clients at once. */
const discovery = { points: 120, durationSeconds: 60 }

type Own =
  | 'features'
  | 'mailer'
  | 'authLimiter'
  | 'discoveryLimiter'
  | 'failedSignIns'
  | 'connectionLimits'
  | 'publicDns'
  | 'nameServers'
  | 'updateFeed'

/** Dependencies that need no privileges, so that every process creates its own. */
export async function ownDependencies(config: Config, redis: Redis | undefined): Promise<Pick<Dependencies, Own>> {
  const window = { durationSeconds: authWindowSeconds, ...(redis ? { redis } : {}) }
  return {
    features,
    mailer: createSmtpMailer({ url: () => config.SMTP_URL, from: () => config.MAIL_FROM }),
    authLimiter: createRateLimiter({ points: () => config.AUTH_RATE_LIMIT_MAX, ...window }),
    discoveryLimiter: createRateLimiter({ ...discovery, ...(redis ? { redis } : {}) }),
    failedSignIns: createFailureCounter(window),
    connectionLimits: panelConnections(await readMachineResources()),
    updateFeed: createHttpUpdateFeed(),
    publicDns: createPublicDns({ resolvers: () => config.DNS_RESOLVERS }),
    nameServers: createPublicDns({ resolvers: () => ownNameServers(config) })
  }
}

export const openJobs = (
  config: Config,
  logger: Logger,
  { db, databaseUrl, isPrepared = false }: { db: Database; databaseUrl: string; isPrepared?: boolean }
): Promise<JobQueue> =>
  createJobQueue({
    connectionString: databaseUrl,
    db,
    queues: queueNames,
    logger,
    isPrepared,
    pollIntervalMs: config.JOB_POLL_SECONDS * 1000
  })

/** Creates or upgrades the tables of the job queue, which have no migration of ours. */
export async function prepareJobs(logger: Logger, databaseUrl: string): Promise<void> {
  const db = openDatabase(databaseUrl, () => {})
  try {
    const jobs = await createJobQueue({ connectionString: databaseUrl, db, queues: queueNames, logger })
    await jobs.stop()
  } finally {
    await db.$client.end()
  }
}
