import type { PanelUpgrades, RequestedUpgrade } from '../../src/infra/panel-upgrades/panel-upgrades.ts'

export interface MemoryPanelUpgrades extends PanelUpgrades {
  obstacle: string | undefined
  upgrade: RequestedUpgrade | undefined
  /** Fails the next requests with this sentence. */
  problem: string | undefined
}

export function createMemoryPanelUpgrades(): MemoryPanelUpgrades {
  const upgrades: MemoryPanelUpgrades = {
    obstacle: undefined,
    upgrade: undefined,
    problem: undefined,
    findObstacle: async () => upgrades.obstacle,
    find: async () => upgrades.upgrade,
    async request() {
      if (upgrades.problem !== undefined) throw new Error(upgrades.problem)
      upgrades.upgrade = {
        id: 'upgrade-1',
        phase: 'requested',
        from: { version: '0.1.0' },
        to: { version: '0.2.0' },
        requestedAt: new Date().toISOString()
      }
      return upgrades.upgrade
    }
  }
  return upgrades
}
