import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { requestConnections } from '../db/connection-budget.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { closeLocks } from '../db/lock.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { ensureSetting } from '../db/settings.ts'
import type { Dependencies } from '../dependencies.ts'
import { openLiveSettings } from '../config/live-settings.ts'
import { messageOf } from '../text/message-of.ts'
import { createSecretBox, type SecretBox } from '../infra/secret-box/secret-box.ts'
import { createMemorySessionStore } from '../infra/session-store/memory-session-store.ts'
import { createRedisSessionStore } from '../infra/session-store/redis-session-store.ts'

/** Dependencies for database work; also used by CLI commands. */
export type Store = Pick<Dependencies, 'config' | 'settings' | 'logger' | 'now' | 'db' | 'sessions' | 'secretBox'>

/** Migrates the database and connects. Refuses an ENCRYPTION_KEY that does not match the database. */
export async function openStore(
  config: Config,
  logger: Logger,
  databaseUrl: string
): Promise<Store & Pick<ConnectedStore, 'redis' | 'close'>> {
  await migrateDatabase(databaseUrl)
  const secretBox = createSecretBox(config.ENCRYPTION_KEY)
  const connected = await connectStore(config, logger, databaseUrl, secretBox)
  try {
    await checkEncryptionKey(connected.db, secretBox)
  } catch (error) {
    await connected.close()
    throw error
  }
  return { ...connected, secretBox }
}

interface ConnectedStore extends Omit<Store, 'secretBox'> {
  redis: Redis | undefined
  close(): Promise<void>
}

/** Connects to a store that has the newest schema, with no key for what is sealed in it. */
export async function connectStore(
  config: Config,
  logger: Logger,
  databaseUrl: string,
  secretBox?: SecretBox
): Promise<ConnectedStore> {
  const db = openDatabase(
    databaseUrl,
    (error) => logger.warn({ error: messageOf(error) }, 'database connection failed'),
    requestConnections(config.STORE_CONNECTIONS)
  )
  const redis = config.REDIS_URL === undefined ? undefined : await openRedis(config.REDIS_URL)
  redis?.on('error', (error) => logger.warn({ error: messageOf(error) }, 'session store connection failed'))
  const close = async () => {
    await closeLocks(db)
    await db.$client.end()
    redis?.disconnect()
  }
  const settings = await openLiveSettings(config, db, logger, secretBox).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    config: settings.config,
    settings,
    logger,
    now: () => new Date(),
    db,
    redis,
    sessions: redis
      ? createRedisSessionStore(redis, undefined, (error) =>
          logger.warn({ error: messageOf(error) }, 'session store is not responding')
        )
      : createMemorySessionStore(),
    async close() {
      settings.close()
      await close()
    }
  }
}

async function openRedis(url: string): Promise<Redis> {
  const { Redis } = await import('ioredis')
  return new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: 2_000 })
}

const keyCheckValue = 'panel'

/** With a wrong key every stored secret would be lost, so refuse to start. */
export async function checkEncryptionKey(db: Database, secretBox: SecretBox): Promise<void> {
  const sealed = await ensureSetting(db, 'encryption_canary', () => secretBox.seal(keyCheckValue))
  try {
    if (secretBox.open(sealed) === keyCheckValue) return
  } catch {
    // Not sealed with this key; reported below.
  }
  throw new Error(
    'ENCRYPTION_KEY (or SESSION_SECRET if ENCRYPTION_KEY is not set) does not match the stored secrets. ' +
      'Start with the previous key; nothing was changed.'
  )
}
