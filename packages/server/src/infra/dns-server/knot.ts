import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { lazy } from '../../concurrency/lazy.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { statIfExists } from '../disk/stat-if-exists.ts'
import type { Run } from '../process/process.ts'
import { isInCatalog, renderCatalog } from './catalog-zone.render.ts'
import { type DnsServer, type ServedZone, ZoneRefusedError } from './dns-server.ts'
import { parseCds, parseZoneStatus } from './knot-answers.ts'
import { createKnotControl, isNoSuchZone } from './knot-control.ts'
import { findServerUser, giveToServer, prepareDirectories, readableByServer } from './knot-directories.ts'
import { loadLargeZone, loadZone, reconcileMembers } from './knot-members.ts'
import { type KnotDirectories, knotPaths } from './knot-paths.ts'
import { replaceZoneFile } from './knot-zone-file.ts'
import { assertZoneName, catalogName } from './zone-name.ts'

interface KnotOptions extends KnotDirectories {
  run: Run
  commandTimeoutMs?: number
  stallTimeoutMs?: number
  loadTimeoutMs?: number
}

// 10,000 zones with their journals.
const backupTimeoutMs = 10 * 60_000
/** Above this size the server loads a zone asynchronously and one at a time: signing the largest takes seconds. */
const largeTextLength = 100_000

/**
 * Uses the files and control socket of programs/knot.ts. One instance per directory, since it tracks unlisted zones.
 */
export function createKnot(options: KnotOptions): DnsServer {
  const { run, commandTimeoutMs = 10_000, stallTimeoutMs = 10_000, loadTimeoutMs = 60_000 } = options
  const paths = knotPaths(options)
  const controlOptions = { socket: paths.socket, run, timeoutMs: commandTimeoutMs }
  const control = createKnotControl(controlOptions)
  const startCommand = createKnotControl({ ...controlOptions, isWaiting: false })
  const backUp = createKnotControl({ ...controlOptions, timeoutMs: backupTimeoutMs })
  // Per process. Across processes, a database lock serialises zones, and the audit in features/dns-zones repairs lists.
  const withZoneMutex = createKeyedMutex<string>()
  const oneListAtATime = createSemaphore(1)
  const oneLargeZoneAtATime = createSemaphore(1)
  const oneRestoreAtATime = createSemaphore(1)
  /** Zones put but not listed yet: an older list must not delete them. */
  const unlisted = new Set<string>()
  const prepare = lazy(async () => prepareDirectories(paths, await findServerUser(run), run))

  const readCatalog = async () => (await readIfExists(paths.catalog)) ?? ''
  const listZoneFiles = async () => {
    await prepare()
    return (await readdir(paths.zones, { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  }
  const members = { control, startCommand, listZoneFiles, stallTimeoutMs, loadTimeoutMs }
  const load = (name: string, text: string) =>
    text.length < largeTextLength ? loadZone(members, name) : oneLargeZoneAtATime(() => loadLargeZone(members, name))

  const describeFiles = async () => {
    const names = await listZoneFiles()
    const found = await Promise.all([paths.catalog, ...names.map((name) => join(paths.zones, name))].map(statIfExists))
    return found.map((entry) => (entry ? `${entry.ino} ${entry.size} ${entry.mtimeMs}` : '')).join('\n')
  }
  let reloadedFiles: string | undefined

  const removeFilesBut = async (listed: ReadonlySet<string>) => {
    for (const name of await listZoneFiles())
      if (!listed.has(name))
        await withZoneMutex(name, async () => {
          if (!unlisted.has(name)) await rm(join(paths.zones, name), { force: true })
        })
  }
  const setZones = async (zones: readonly ServedZone[]) => {
    await prepare()
    const catalog = renderCatalog(zones)
    const isNew = (await readCatalog()) !== catalog
    if (isNew) await writeFileAtomically(paths.catalog, catalog, readableByServer)
    const listed = new Set(zones.map(({ name }) => name))
    for (const name of listed) unlisted.delete(name)
    const isChanged = await reconcileMembers(members, zones, isNew)
    await removeFilesBut(listed)
    return isChanged
  }

  return {
    async ping() {
      return /Version: (\S+)/.exec(await control('status', 'version'))?.[1] ?? ''
    },
    async putZone(name, text) {
      assertZoneName(name)
      if (name === catalogName) throw new ZoneRefusedError(name, 'reserved for the catalog zone')
      await withZoneMutex(name, async () => {
        await prepare()
        if (!isInCatalog(await readCatalog(), name)) unlisted.add(name)
        await replaceZoneFile(paths, run, name, text)
        if (isInCatalog(await readCatalog(), name)) await load(name, text)
      })
    },
    async setZones(zones) {
      for (const { name } of zones) assertZoneName(name)
      return oneListAtATime(() => setZones(zones.filter(({ name }) => name !== catalogName)))
    },
    listZoneFiles,
    async readDs(name) {
      assertZoneName(name)
      if (name === catalogName) return []
      try {
        return parseCds(await control('zone-read', name, '@', 'CDS')).get(name) ?? []
      } catch (error) {
        if (isNoSuchZone(error)) return []
        throw error
      }
    },
    async readSerials() {
      const serials = new Map<string, number>()
      for (const [name, { serial }] of parseZoneStatus(await control('zone-status')))
        if (serial !== undefined) serials.set(name, serial)
      return serials
    },
    async copyState(directory) {
      if ((await statIfExists(join(paths.database, 'keys'))) === undefined) return
      // A server that hangs is found by the short time limit, not by that of a backup.
      await control('status', 'version')
      // The server writes it as its own user, and refuses a directory that has a backup.
      const backup = join(paths.database, 'backup')
      await rm(backup, { recursive: true, force: true })
      try {
        await backUp('zone-backup', '+backupdir', backup, '+nozonefile', '+nocatalog', '+journal', '+timers', '+kaspdb')
        await cp(backup, directory, { recursive: true })
      } finally {
        await rm(backup, { recursive: true, force: true })
      }
    },
    async restoreKey(name, copy) {
      assertZoneName(name)
      // The server reads it as its own user.
      const backup = join(paths.database, 'restored')
      await oneRestoreAtATime(async () => {
        await rm(backup, { recursive: true, force: true })
        try {
          await cp(copy, backup, { recursive: true })
          await giveToServer(backup, await findServerUser(run), run)
          const only = ['+nozonefile', '+nojournal', '+notimers', '+nocatalog', '+kaspdb']
          await control('zone-restore', '+backupdir', backup, ...only, name)
        } finally {
          await rm(backup, { recursive: true, force: true })
        }
      })
    },
    async reload() {
      const files = await describeFiles()
      if (files === reloadedFiles) return
      await control('reload')
      reloadedFiles = files
    }
  }
}
