import type { PanelVersion } from '@panel/contract/system'
import type { Dependencies } from '../../dependencies.ts'
import { version } from '../../process/version.ts'
import { findLatestRelease } from './release.repository.ts'
import { getUpgrade } from './upgrade.service.ts'
import { isNewer } from './version.policy.ts'

export async function panelVersion(deps: Pick<Dependencies, 'db' | 'panelUpgrades'>): Promise<PanelVersion> {
  const latest = await findLatestRelease(deps.db)
  return {
    version,
    latest: latest ?? null,
    isUpdateAvailable: latest !== undefined && isNewer(latest.version, version),
    ...(await getUpgrade(deps))
  }
}
