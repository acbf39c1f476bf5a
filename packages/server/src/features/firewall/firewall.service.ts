import {
  type FirewallExport,
  type FirewallRuleset,
  type FirewallState,
  ImportFirewall,
  SaveFirewall
} from '@panel/contract/firewall'
import { Id } from '@panel/contract/common'
import type { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { CallerConnection } from '../../http/caller-connection.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { messageOf } from '../../text/message-of.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { filterOf, findLockout, isSameFilter, listPresets } from './firewall-rules.policy.ts'
import { ensureFirewall, findFirewall, type FirewallRow, saveRuleset } from './firewall.repository.ts'
import {
  changedElsewhere,
  type Deps,
  recordOutcome,
  rulesetOf,
  settleTrial,
  startTrial,
  summaryOf
} from './firewall-trial.service.ts'

export const getFirewall = workerVerb('firewall.get', [CallerConnection], getFirewallHere)

async function getFirewallHere(deps: Deps, caller: CallerConnection): Promise<FirewallState> {
  const row = await ensureFirewall(deps.db, deps.nodeId)
  const isDue = row.pendingId !== null && row.pendingUntil! <= deps.now()
  return viewOf(deps, caller, isDue ? await settleNow(deps, row) : row)
}

/** The rules can be read while the packet filter is unavailable. */
async function settleNow(deps: Deps, row: FirewallRow): Promise<FirewallRow> {
  try {
    return await deps.serverFirewall.exclusively(() => settleTrial(deps))
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    deps.logger.warn({ error: messageOf(error) }, 'could not find out whether a firewall change was reverted')
    return row
  }
}

export const saveFirewall = workerVerb(
  'firewall.save',
  [Origin, Id, CallerConnection, SaveFirewall],
  (deps: Deps, origin: AuditOrigin, userId: string, caller: CallerConnection, input: SaveFirewall) => {
    const { enabled, defaultAction, rules } = input
    return change(deps, origin, userId, caller, input, () => ({ enabled, defaultAction, rules }))
  }
)

/** Replaces the rules; whether the firewall is on stays as it is. */
export const importFirewall = workerVerb(
  'firewall.import',
  [Origin, Id, CallerConnection, ImportFirewall],
  (deps: Deps, origin: AuditOrigin, userId: string, caller: CallerConnection, input: ImportFirewall) => {
    const { defaultAction, rules } = input.document
    return change(deps, origin, userId, caller, input, ({ isEnabled }) => ({
      enabled: isEnabled,
      defaultAction,
      rules
    }))
  }
)

async function change(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  caller: CallerConnection,
  { version, allowSshLockout }: Pick<z.infer<typeof SaveFirewall>, 'version' | 'allowSshLockout'>,
  rulesetAfter: (row: FirewallRow) => FirewallRuleset
): Promise<FirewallState> {
  return deps.serverFirewall.exclusively(async () => {
    const row = await settleTrial(deps)
    if (row.pendingId !== null)
      throw new AppError('FIREWALL_CHANGE_PENDING', 'Confirm or revert the pending firewall change first')
    if (row.version !== version) throw changedElsewhere()
    const ruleset = rulesetAfter(row)
    refuseLockout(ruleset, caller, allowSshLockout ? [] : await deps.serverFirewall.listSshPorts())
    // Turning the firewall off locks no one out, so it needs no trial.
    const needsTrial = ruleset.enabled && !isSameFilter(rulesetOf(row), ruleset)
    const after = needsTrial
      ? await startTrial(deps, origin, userId, row, ruleset)
      : await saveAtOnce(deps, origin, userId, row, ruleset)
    return viewOf(deps, caller, after)
  })
}

function refuseLockout(ruleset: FirewallRuleset, caller: CallerConnection, sshPorts: readonly number[]): void {
  const lockout = findLockout(ruleset, caller, sshPorts)
  if (!lockout) return
  const { address, port } = lockout
  if (lockout.service === 'PANEL')
    throw new AppError(
      'FIREWALL_LOCKOUT',
      `These rules block the panel (TCP port ${port}) for your address ${address}. Add a rule that allows it.`
    )
  throw new AppError(
    'FIREWALL_SSH_LOCKOUT',
    `These rules block SSH (TCP port ${port}) for your address ${address}. Add a rule that allows it, or send allowSshLockout.`
  )
}

async function saveAtOnce(
  deps: Deps,
  origin: AuditOrigin,
  userId: string | null,
  row: FirewallRow,
  ruleset: FirewallRuleset
): Promise<FirewallRow> {
  const saved = await deps.db.transaction(async (trx) => {
    const changed = await saveRuleset(trx, row, ruleset, deps.now())
    if (!changed) throw changedElsewhere()
    await recordAudit(deps, trx, origin, {
      action: 'firewall.changed',
      actorId: userId,
      targetId: null,
      metadata: summaryOf(ruleset)
    })
    return changed
  })
  await deps.serverFirewall.apply(filterOf(ruleset))
  return saved
}

export const confirmFirewall = workerVerb('firewall.confirm', [Origin, Id, CallerConnection, Id], confirmHere)

async function confirmHere(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  caller: CallerConnection,
  changeId: string
): Promise<FirewallState> {
  return deps.serverFirewall.exclusively(async () => {
    const row = await settleTrial(deps)
    if (row.pendingId !== changeId) throw noSuchChange()
    if (caller.openedAt === undefined || caller.openedAt <= row.pendingAppliedAt!.getTime())
      throw new AppError(
        'FIREWALL_CONNECTION_OLD',
        'This connection is older than the change, so it does not show that you can still connect. Confirm from a new connection.'
      )
    const outcome = await deps.serverFirewall.confirm(changeId)
    const after = await recordOutcome(deps, origin, userId, row, outcome)
    if (outcome !== 'confirmed') throw noSuchChange()
    return viewOf(deps, caller, after)
  })
}

export const revertFirewall = workerVerb('firewall.revert', [Origin, Id, CallerConnection], revertHere)

async function revertHere(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  caller: CallerConnection
): Promise<FirewallState> {
  return deps.serverFirewall.exclusively(async () => {
    const row = await settleTrial(deps)
    if (row.pendingId === null) throw noSuchChange()
    const outcome = await deps.serverFirewall.revert(row.pendingId)
    return viewOf(deps, caller, await recordOutcome(deps, origin, userId, row, outcome))
  })
}

/** For `./panel firewall confirm`. Returns whether a change was pending. */
export function confirmOnConsole(deps: Deps): Promise<boolean> {
  return deps.serverFirewall.exclusively(async () => {
    const row = await settleTrial(deps)
    if (row.pendingId === null) return false
    const outcome = await deps.serverFirewall.confirm(row.pendingId)
    await recordOutcome(deps, {}, null, row, outcome)
    return outcome === 'confirmed'
  })
}

const noSuchChange = () =>
  new AppError('CONFLICT', 'This firewall change is no longer pending: it was confirmed or reverted')

export async function exportFirewall({ db, nodeId }: Pick<Dependencies, 'db' | 'nodeId'>): Promise<FirewallExport> {
  const row = await findFirewall(db, nodeId)
  const { defaultAction, rules } = row ? rulesetOf(row) : ({ defaultAction: 'DENY', rules: [] } as const)
  return { format: 'panel-firewall', formatVersion: 1, defaultAction, rules: [...rules] }
}

/** For `./panel firewall off`, by an administrator who is locked out but has a console. */
export function turnOffFirewall(deps: Deps): Promise<void> {
  return deps.serverFirewall.exclusively(async () => {
    const row = await ensureFirewall(deps.db, deps.nodeId)
    await saveAtOnce(deps, {}, null, row, { ...rulesetOf(row), enabled: false })
  })
}

async function viewOf(deps: Deps, caller: CallerConnection, row: FirewallRow): Promise<FirewallState> {
  const { pendingId: id, pendingRuleset, pendingBy, pendingUntil } = row
  const ruleset = rulesetOf(row)
  return {
    ...ruleset,
    version: row.version,
    pending:
      id === null ? null : { ...pendingRuleset!, id, deadline: pendingUntil!.toISOString(), requestedBy: pendingBy },
    presets: listPresets(deps.config, await deps.serverFirewall.listSshPorts(), ruleset),
    confirmSeconds: deps.config.FIREWALL_CONFIRM_SECONDS,
    yourAddress: caller.client
  }
}
