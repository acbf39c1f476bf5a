import { join } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import { copyStaged } from '../../infra/staging/staging.ts'
import { panelState } from '../../process/paths.ts'
import type { AccountSnapshot } from './account-snapshot.service.ts'

/** Deploy keys of projects that come back. A project without one has no directory. */
export async function placeDeployKeys(
  { config }: Pick<Dependencies, 'config'>,
  { manifest, fetch }: Pick<AccountSnapshot, 'manifest' | 'fetch'>,
  projectIds: readonly string[]
): Promise<void> {
  if (!manifest.directories.includes('deploy-keys')) return
  for (const id of projectIds) {
    const found = await fetch(`/deploy-keys/${id}`)
    if (found !== undefined) await copyStaged(found, join(panelState(config).deployKeys, id), () => true)
  }
}
