import type { FirewallRuleset } from '@panel/contract/firewall'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { ChangeOutcome } from '../../infra/server-firewall/server-firewall.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { filterOf } from './firewall-rules.policy.ts'
import {
  clearPending,
  ensureFirewall,
  type FirewallRow,
  markPendingApplied,
  promotePending,
  startPending
} from './firewall.repository.ts'

export type Deps = Pick<Dependencies, 'config' | 'db' | 'logger' | 'nodeId' | 'now' | 'serverFirewall'>

// The rollback process starts counting a moment after us, and retries.
const overdueMs = 15_000

export const changedElsewhere = () =>
  new AppError('CONFLICT', 'Someone else changed the firewall. Reload and try again.')

export const rulesetOf = ({ isEnabled, defaultAction, rules }: FirewallRow): FirewallRuleset => ({
  enabled: isEnabled,
  defaultAction,
  rules
})

/** Puts a ruleset in force on trial. The caller runs exclusively, and no other trial is pending. */
export async function startTrial(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  row: FirewallRow,
  ruleset: FirewallRuleset
): Promise<FirewallRow> {
  const { FIREWALL_CONFIRM_SECONDS: seconds } = deps.config
  const since = deps.now()
  const id = newId(since.getTime())
  const until = new Date(since.getTime() + seconds * 1000)
  await deps.db.transaction(async (trx) => {
    const change = {
      pendingId: id,
      pendingRuleset: ruleset,
      pendingBy: userId,
      pendingSince: since,
      pendingUntil: until
    }
    if (!(await startPending(trx, row, change))) throw changedElsewhere()
    await recordAudit(deps, trx, origin, {
      action: 'firewall.change_requested',
      actorId: userId,
      targetId: id,
      metadata: summaryOf(ruleset)
    })
  })
  try {
    await deps.serverFirewall.tryOut(id, filterOf(ruleset)!, seconds)
  } catch (error) {
    await clearPending(deps.db, deps.nodeId, id, deps.now())
    throw error
  }
  const applied = await markPendingApplied(deps.db, deps.nodeId, id, deps.now())
  if (!applied) throw changedElsewhere()
  return applied
}

/** Updates the row with the outcome of the trial. The caller must hold the lock. */
export async function settleTrial(deps: Deps): Promise<FirewallRow> {
  const row = await ensureFirewall(deps.db, deps.nodeId)
  if (row.pendingId === null) return row
  const isOverdue = deps.now().getTime() > row.pendingUntil!.getTime() + overdueMs
  // Without a time the panel was killed before the rules were in force: the caller runs exclusively, so no other process is loading them.
  const isLost = row.pendingAppliedAt === null || isOverdue
  const { serverFirewall } = deps
  const outcome = await (isLost ? serverFirewall.revert(row.pendingId) : serverFirewall.outcomeOf(row.pendingId))
  return recordOutcome(deps, {}, null, row, outcome)
}

export async function recordOutcome(
  deps: Deps,
  origin: AuditOrigin,
  userId: string | null,
  row: FirewallRow,
  outcome: ChangeOutcome
): Promise<FirewallRow> {
  if (outcome === 'pending') return row
  const { pendingId: id, pendingRuleset: ruleset } = row
  const settled = await deps.db.transaction(async (trx) => {
    const changed =
      outcome === 'confirmed'
        ? await promotePending(trx, deps.nodeId, id!, ruleset!, deps.now())
        : await clearPending(trx, deps.nodeId, id!, deps.now())
    if (!changed) return undefined
    await recordAudit(deps, trx, origin, {
      action: outcome === 'confirmed' ? 'firewall.changed' : 'firewall.reverted',
      actorId: userId ?? (outcome === 'confirmed' ? row.pendingBy : null),
      targetId: id,
      metadata: { ...summaryOf(ruleset!), automatic: userId === null }
    })
    return changed
  })
  return settled ?? ensureFirewall(deps.db, deps.nodeId)
}

export const summaryOf = ({ enabled, defaultAction, rules }: FirewallRuleset) => ({
  enabled,
  defaultAction,
  rules: rules.length
})
