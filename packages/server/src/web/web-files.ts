import { join } from 'node:path'
import type { Config } from '../config.ts'
import { sampleHost } from '../config/git.ts'
import { makeRuntimeDirectory } from '../process/runtime-directory.ts'

/** Where the web process finds what it needs, in its own view of the file systems: all of it may lie in folders that it cannot pass. */
export const webPlaces = {
  code: '/run/panel-web/code',
  node: '/run/panel-web/node',
  /** Its settings, and the socket of the worker: root's, for it to read. */
  worker: '/run/panel-web/worker',
  /** The socket of the embedded store. */
  store: '/run/panel-web/store',
  /** Its own: by which it is asked whether it lives. */
  own: '/run/panel-web/own',
  /** Its own, on the disk of the projects: uploads whose place has not been said yet. */
  spool: '/run/panel-web/spool'
}

/** Of one that it may look at the room of, and at nothing else there. */
export const diskPlace = (index: number): string => `/run/panel-web/disk-${index}`

export const settingsFile = 'settings.json'
export const workerSocket = 'socket'
export const aliveSocket = 'alive'

/** The worker's names of the same. */
export async function webDirectories(config: Pick<Config, 'DATA_DIR' | 'PROJECTS_DIR'>) {
  const runtime = await makeRuntimeDirectory(config.DATA_DIR)
  return {
    worker: join(runtime, 'worker'),
    own: join(runtime, 'web'),
    store: await makeRuntimeDirectory(join(config.DATA_DIR, 'postgres')),
    spool: join(config.PROJECTS_DIR, 'staging', 'web')
  }
}

/** What the web process is told: everything but the keys and rights of the worker. */
export interface WebSettings {
  /** Which code it runs, and from where: one of another build, or of another folder, is not adopted. */
  code: string
  config: Config
  databaseUrl: string
  host: string
  /** Where it sees the file system of each directory that is written to. */
  disks: Readonly<Record<string, string>>
}

// Each opens something that is the worker's. A Config is as it was parsed: nothing is read from the environment again.
const keptBack = [
  'ENCRYPTION_KEY',
  'POSTGRES_ADMIN_URL',
  'MYSQL_ADMIN_URL',
  'ACME_EAB_HMAC_KEY',
  'DATABASE_URL'
] as const

export function renderSettings(settings: WebSettings): string {
  const { GIT_MIRRORS } = settings.config
  const config = {
    ...settings.config,
    ...Object.fromEntries(keptBack.map((name) => [name, undefined])),
    // Its port differs at each start, for which this process would be replaced; the worker alone fetches from it.
    ...(Object.hasOwn(GIT_MIRRORS, sampleHost)
      ? { GIT_MIRRORS: { ...GIT_MIRRORS, [sampleHost]: 'http://localhost' } }
      : {})
  }
  return JSON.stringify({ ...settings, config }, (_key, value: unknown) => {
    if (value === Infinity) throw new TypeError('JSON has no such number')
    return value
  })
}
