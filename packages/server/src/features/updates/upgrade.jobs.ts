import { lockName } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { recordAudit } from '../audit/recording.service.ts'
import { notifyAdmins } from '../notifications/notify-access.ts'
import { isRequestedBy } from './upgrade.policy.ts'
import { findPreparation, findReportedUpgrade, savePreparation, saveReportedUpgrade } from './upgrade.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'jobs' | 'logger' | 'now' | 'panelUpgrades'>

const subject = { type: 'server', id: 'panel', name: 'The panel' } as const
const link = '/server/settings'

/** Downloads, verifies and unpacks a release; the process of `./panel up` does the rest. A refusal is not retried. */
export async function prepareUpgrade(deps: Deps, { source }: { source: string }): Promise<void> {
  const preparation = await findPreparation(deps.db)
  const upgrade = await deps.panelUpgrades.find()
  // The panel restarts at once, maybe before this job counts as done; the new version runs it again then.
  if (preparation === undefined || isRequestedBy(preparation, upgrade)) return
  try {
    await deps.panelUpgrades.request(source)
  } catch (error) {
    const problem = messageOf(error)
    await deps.db.transaction(async (trx) => {
      await lockName(trx, 'settings')
      await savePreparation(trx, { ...preparation, endedAt: deps.now().toISOString(), problem })
      await notifyAdmins(deps, trx, {
        kind: 'upgrade-failed',
        subject,
        text: [{ code: 'UPGRADE_REFUSED', values: { problem } }],
        link
      })
    })
  }
}

/** Records the end of an upgrade once, in the store that is in use then. */
export async function reportUpgrade(deps: Deps): Promise<void> {
  const upgrade = await deps.panelUpgrades.find()
  if (upgrade?.phase !== 'done' && upgrade?.phase !== 'reverted') return
  if ((await findReportedUpgrade(deps.db)) === upgrade.id) return
  const values = { from: upgrade.from.version, to: upgrade.to.version, problem: upgrade.problem ?? '' }
  const isDone = upgrade.phase === 'done'
  await deps.db.transaction(async (trx) => {
    await lockName(trx, 'settings')
    if ((await findReportedUpgrade(trx)) === upgrade.id) return
    await saveReportedUpgrade(trx, upgrade.id)
    const action = isDone ? 'panel.upgraded' : 'panel.upgrade_reverted'
    await recordAudit(deps, trx, {}, { action, actorId: null, targetId: null, metadata: values })
    await notifyAdmins(deps, trx, {
      kind: isDone ? 'upgrade-finished' : 'upgrade-failed',
      subject,
      text: [{ code: isDone ? 'UPGRADED' : 'UPGRADE_REVERTED', values }],
      link
    })
  })
}
