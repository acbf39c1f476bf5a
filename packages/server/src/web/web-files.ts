import { join } from 'node:path'
import type { Config } from '../config.ts'
import { sampleHost } from '../config/git.ts'
import { storeDirectory } from '../process/paths.ts'
import { makeRuntimeDirectory } from '../process/runtime-directory.ts'

/** Mount points in the web process's mount namespace: the sources may be in directories that it cannot traverse. */
export const webPlaces = {
  code: '/run/panel-web/code',
  node: '/run/panel-web/node',
  /** Settings and worker socket: owned by root, readable by it. */
  worker: '/run/panel-web/worker',
  /** Socket of the embedded database. */
  store: '/run/panel-web/store',
  /** Writable; contains its health socket. */
  own: '/run/panel-web/own',
  /** Writable, on the file system of the projects: uploads without a destination yet. */
  spool: '/run/panel-web/spool'
}

/** Mount point of a directory whose free space it may query. */
export const diskPlace = (index: number): string => `/run/panel-web/disk-${index}`

export const settingsFile = 'settings.json'
export const workerSocket = 'socket'
export const aliveSocket = 'alive'

/** The same directories in the worker's namespace. */
export async function webDirectories(config: Pick<Config, 'DATA_DIR' | 'PROJECTS_DIR'>) {
  const runtime = await makeRuntimeDirectory(config.DATA_DIR)
  return {
    worker: join(runtime, 'worker'),
    own: join(runtime, 'web'),
    store: await makeRuntimeDirectory(storeDirectory(config)),
    spool: join(config.PROJECTS_DIR, 'staging', 'web')
  }
}

/** Settings of the web process: everything except the worker's keys and privileges. */
export interface WebSettings {
  /** Identifies build and directory; a web process with another value is not adopted. */
  code: string
  config: Config
  databaseUrl: string
  host: string
  /** Mount point of each directory that is written to. */
  disks: Readonly<Record<string, string>>
}

// Credentials that only the worker may have. A Config is already parsed, so nothing is read from the environment again.
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
    if (value === Infinity) throw new TypeError('Infinity cannot be stored as JSON')
    return value
  })
}
