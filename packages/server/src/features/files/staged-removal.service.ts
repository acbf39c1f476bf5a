import { join } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { makeStagingDirectory } from '../../infra/staging/staging.ts'
import { stagingRoot } from '../../process/paths.ts'

/**
 * Removes an entry of the staging area, or of a folder in it, if it exists. Through a file tree, because a container
 * may still write to a directory that was moved there.
 */
export async function removeStagedTree(
  { config, fileStore }: Pick<Dependencies, 'config' | 'fileStore'>,
  name: string,
  folder = ''
): Promise<void> {
  const root = join(stagingRoot(config), folder)
  await makeStagingDirectory(root)
  await fileStore
    .tree({ root, uid: process.geteuid?.() ?? 0, protects: 'nothing' })
    .remove(name)
    .catch((error: unknown) => {
      if (!(error instanceof AdapterError) || error.kind !== 'file-not-found') throw error
    })
}
