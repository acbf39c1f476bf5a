import type { Dependencies } from '../../dependencies.ts'
import { backupCache, backupDirectory, backupStaging } from '../../process/paths.ts'
import type { DiskCleanupSource, DiskPlace } from '../feature.ts'
import { listOpenBackups, listTargets } from './backups.repository.ts'
import { listOpenRestores } from './restores.repository.ts'
import { openRepository } from './targets.service.ts'

/** Targets that are folders of this server, and the panel's own files about backups. */
export async function backupPlaces(deps: Dependencies): Promise<DiskPlace[]> {
  const folders = (await listTargets(deps.db))
    .filter(({ kind }) => kind === 'FOLDER')
    .flatMap((row) => {
      const { place } = openRepository(deps, row)
      return place.kind === 'FOLDER' ? [place.path] : []
    })
  const paths = [...folders, backupStaging(deps.config), backupDirectory(deps.config)]
  return paths.map((path) => ({ kind: 'BACKUPS', path }))
}

/** restic's caches of what is on the targets, one directory per target. */
export const backupCacheCleanup: DiskCleanupSource = {
  kind: 'BACKUP_CACHE',
  async list(deps) {
    const { db, config, serverDisk } = deps
    const targets = new Map((await listTargets(db)).map((target) => [target.id, target]))
    const caches = await serverDisk.list(backupCache(config))
    const sizes = await serverDisk.measure(caches.map(({ path }) => path))
    // A running backup, restore or check may be reading its cache.
    const isBusy = async () =>
      [...(await listOpenBackups(db)), ...(await listOpenRestores(db)), ...(await listTargets(db))].some(
        ({ workerId }) => workerId !== null
      )
    if (await isBusy()) return []
    return caches.map(({ name, path }) => ({
      name: targets.get(name)?.name ?? name,
      bytes: sizes.get(path) ?? 0,
      async remove() {
        if (await isBusy()) return false
        await serverDisk.remove(path)
        return true
      }
    }))
  }
}
