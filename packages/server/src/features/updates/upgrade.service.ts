import type { PanelUpgrade, StartUpgrade } from '@panel/contract/system'
import { lockName } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { RequestedUpgrade } from '../../infra/panel-upgrades/panel-upgrades.ts'
import { version } from '../../process/version.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { isUpgrading, upgradeView } from './upgrade.policy.ts'
import { findPreparation, savePreparation } from './upgrade.repository.ts'

type Upgrades = Pick<Dependencies, 'panelUpgrades'>
type Deps = Upgrades & Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now'>

const readUpgradeState = workerVerb(
  'updates.readState',
  [],
  async ({
    panelUpgrades
  }: Upgrades): Promise<{ obstacle?: string | undefined; upgrade?: RequestedUpgrade | undefined }> => ({
    obstacle: await panelUpgrades.findObstacle(),
    upgrade: await panelUpgrades.find()
  })
)

/** The last upgrade, and why there cannot be one. */
export async function getUpgrade(
  deps: Upgrades & Pick<Deps, 'db'>
): Promise<{ upgradeObstacle: string | null; upgrade: PanelUpgrade | null }> {
  const { obstacle, upgrade } = await readUpgradeState(deps)
  return { upgradeObstacle: obstacle ?? null, upgrade: upgradeView(await findPreparation(deps.db), upgrade) }
}

/** Starts the download of a release. The job and `./panel up` do the rest. */
export async function startUpgrade(
  deps: Deps,
  origin: AuditOrigin,
  actorId: string,
  { source }: StartUpgrade
): Promise<PanelUpgrade> {
  const { upgrade: onDisk, obstacle } = await readUpgradeState(deps)
  if (obstacle !== undefined) throw new AppError('CONFLICT', obstacle)
  const preparation = { from: version, startedAt: deps.now().toISOString() }
  await deps.db.transaction(async (trx) => {
    await lockName(trx, 'settings')
    if (isUpgrading(upgradeView(await findPreparation(trx), onDisk)))
      throw new AppError('CONFLICT', 'An upgrade is in progress. Wait until it has ended.')
    await savePreparation(trx, preparation)
    await recordAudit(deps, trx, origin, { action: 'panel.upgrade_requested', actorId, targetId: null, metadata: { source } }) // oxfmt-ignore
    await deps.jobs.enqueue(trx, 'updates.upgrade', { source })
  })
  return upgradeView(preparation, undefined)!
}
