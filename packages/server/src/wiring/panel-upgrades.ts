import type { Config } from '../config.ts'
import type { PanelUpgrades } from '../infra/panel-upgrades/panel-upgrades.ts'
import { run } from '../infra/process/run.ts'
import { panelRoot } from '../process/panel-root.ts'
import { prepareUpgrade } from '../upgrade/prepare-upgrade.ts'
import { canReplaceProcess } from '../upgrade/replace-process.ts'
import { readUpgrade } from '../upgrade/upgrade-state.ts'

type UpgradeConfig = Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'UPDATE_PUBLIC_KEY'>

export function openPanelUpgrades(config: UpgradeConfig): PanelUpgrades {
  return {
    findObstacle: async () => obstacleOf(config),
    find: () => readUpgrade(config.DATA_DIR),
    async request(source) {
      const publicKey = config.UPDATE_PUBLIC_KEY
      const obstacle = obstacleOf(config)
      if (obstacle !== undefined || publicKey === undefined) throw new Error(obstacle)
      return prepareUpgrade({ config, root: panelRoot, source, publicKey, run, step: () => {} })
    }
  }
}

function obstacleOf({ DATABASE_URL, UPDATE_PUBLIC_KEY }: UpgradeConfig): string | undefined {
  if (UPDATE_PUBLIC_KEY === undefined)
    return 'UPDATE_PUBLIC_KEY is not set, so releases cannot be verified. Set it to the public key of the releases and restart the panel.'
  if (DATABASE_URL !== undefined)
    return 'The database is set by DATABASE_URL, and the panel cannot restore it. Upgrade by hand, as described in the installation guide.'
  if (!canReplaceProcess())
    return `Node.js ${process.versions.node} cannot replace a running panel. Install Node.js 24 and restart the panel.`
  return undefined
}
