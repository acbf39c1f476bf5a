import type { PanelVersion } from '@panel/contract/system'
import type { Dependencies } from '../../dependencies.ts'
import { version } from '../../process/version.ts'
import { findLatestRelease } from './release.repository.ts'
import { isNewer } from './version.policy.ts'

export async function panelVersion({ db }: Pick<Dependencies, 'db'>): Promise<PanelVersion> {
  const latest = await findLatestRelease(db)
  return {
    version,
    latest: latest ?? null,
    isUpdateAvailable: latest !== undefined && isNewer(latest.version, version)
  }
}
