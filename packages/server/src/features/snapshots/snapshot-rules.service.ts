import { text } from 'node:stream/consumers'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { phpIndexes, phpManifests, phpSigns, type SiteFiles } from '../../infra/image-builder/image-builder.ts'
import { isStaged } from '../../infra/staging/staging.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { findUid } from '../users/account-access.ts'
import { snapshotPaths } from './snapshot-paths.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'fileStore'>

/** As much as is read of each. */
const maxRuleBytes = 64 * 1024
const maxManifestBytes = 4 * 2 ** 20

/** What configures the site in a snapshot; undefined if the snapshot is no longer kept. */
export async function readSiteFiles(deps: Deps, project: ProjectRow, id: string): Promise<SiteFiles | undefined> {
  const uid = (await findUid(deps.db, project.userId)) ?? 0
  const { files } = snapshotPaths(deps.config, uid, { id, projectId: project.id })
  if (!(await isStaged(files))) return undefined
  const tree = deps.fileStore.tree({ root: files, uid, protects: 'nothing' })
  const read = async (path: string, maxBytes = maxRuleBytes): Promise<string | undefined> => {
    try {
      const { stream } = await tree.open(path)
      return await text(stream({ start: 0, end: maxBytes - 1 }))
    } catch (error) {
      // No such file, or a link or folder of that name.
      if (error instanceof AdapterError) return undefined
      throw error
    }
  }
  if (project.type !== 'PHP') return { redirects: await read('_redirects'), headers: await read('_headers') }
  const php: Record<string, string> = {}
  for (const path of [...phpManifests, ...phpSigns, ...phpIndexes]) {
    const found = await read(path, phpManifests.some((name) => name === path) ? maxManifestBytes : 1)
    if (found !== undefined) php[path] = found
  }
  return { php }
}
