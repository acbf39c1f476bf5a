import { join } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import { stagingRoot } from '../../process/paths.ts'
import type { CleanupItem, DiskCleanupSource, StagingUse } from '../feature.ts'
import { removeStagedTree } from '../files/staged-removal.service.ts'
import { largeLogsIn, leftoversIn } from './leftovers.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'features' | 'fileStore' | 'now' | 'serverDisk'>

/** Names are read again before each removal: work may have resumed. */
async function listLeftovers(deps: Deps): Promise<CleanupItem[]> {
  const { features, serverDisk } = deps
  const found = []
  for (const use of features.flatMap(({ staging }) => staging ?? []))
    for (const entry of await leftoversOf(deps, use)) found.push({ use, entry })
  const sizes = await serverDisk.measure(found.map(({ entry }) => entry.path))
  return found.map(({ use, entry }) => ({
    name: join(use.folder, entry.name),
    bytes: sizes.get(entry.path) ?? 0,
    async remove() {
      if (!(await leftoversOf(deps, use)).some(({ path }) => path === entry.path)) return false
      await removeStagedTree(deps, entry.name, use.folder)
      return true
    }
  }))
}

async function leftoversOf({ config, db, now, serverDisk }: Deps, { folder, prefix, listKept }: StagingUse) {
  const entries = await serverDisk.list(join(stagingRoot(config), folder))
  return leftoversIn(entries, { prefix, kept: new Set(await listKept?.(db)) }, now())
}

async function listLogs({ config, serverDisk }: Deps): Promise<CleanupItem[]> {
  return largeLogsIn(await serverDisk.list(config.DATA_DIR)).map(({ name, path, bytes }) => ({
    name,
    bytes,
    async remove() {
      await serverDisk.empty(path)
      return true
    }
  }))
}

export const ownCleanups: readonly DiskCleanupSource[] = [
  { kind: 'LEFTOVERS', list: listLeftovers },
  { kind: 'LOGS', list: listLogs }
]
