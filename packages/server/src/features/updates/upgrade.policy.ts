import type { PanelUpgrade } from '@panel/contract/system'
import type { RequestedUpgrade } from '../../infra/panel-upgrades/panel-upgrades.ts'

/** The part of an upgrade before it is on disk: download and verification, by a job. */
export interface UpgradePreparation {
  from: string
  startedAt: string
  endedAt?: string | undefined
  problem?: string | undefined
}

const statuses = {
  requested: 'SWITCHING',
  trying: 'SWITCHING',
  reverting: 'SWITCHING',
  reverted: 'REVERTED',
  done: 'COMPLETED'
} as const satisfies Record<RequestedUpgrade['phase'], PanelUpgrade['status']>

/** The later of both: a preparation is followed by the upgrade that it requests. */
export function upgradeView(
  preparation: UpgradePreparation | undefined,
  upgrade: RequestedUpgrade | undefined
): PanelUpgrade | null {
  if (upgrade && (preparation === undefined || isRequestedBy(preparation, upgrade)))
    return {
      status: statuses[upgrade.phase],
      from: upgrade.from.version,
      to: upgrade.to.version,
      startedAt: upgrade.requestedAt,
      endedAt: upgrade.endedAt ?? null,
      problem: upgrade.problem ?? null
    }
  if (preparation === undefined) return null
  return {
    status: preparation.problem === undefined ? 'PREPARING' : 'REFUSED',
    from: preparation.from,
    to: null,
    startedAt: preparation.startedAt,
    endedAt: preparation.endedAt ?? null,
    problem: preparation.problem ?? null
  }
}

export const isRequestedBy = ({ startedAt }: UpgradePreparation, upgrade: RequestedUpgrade | undefined): boolean =>
  upgrade !== undefined && upgrade.requestedAt >= startedAt

export const isUpgrading = (upgrade: PanelUpgrade | null): boolean =>
  upgrade !== null && (upgrade.status === 'PREPARING' || upgrade.status === 'SWITCHING')
