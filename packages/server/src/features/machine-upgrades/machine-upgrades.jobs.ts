import { setTimeout as sleep } from 'node:timers/promises'
import type { MachineUpgradeStep } from '@panel/contract/machines'
import type { MachineUpgradeFailure } from '@panel/contract/machine-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { Queryable } from '../../db/database.ts'
import type { NodeUpgrade } from '../../db/schema/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { messageOf } from '../../text/message-of.ts'
import { queueMove } from '../deployments/machine-moves.service.ts'
import { reasonOf } from '../nodes/machine-changes.service.ts'
import { changeNode, isRetiring, listNodes, lockNode, type NodeRow } from '../nodes/node-access.ts'
import { checkedMachine, planDrain, requireMachine } from '../nodes/nodes.service.ts'
import { readSituation } from '../nodes/placement.service.ts'
import { isOpen } from './machine-upgrades.service.ts'

type Upgrading = NodeRow & { upgrade: NodeUpgrade & { step: OpenStep } }
type Failure = Sentence<MachineUpgradeFailure>
/** Resolves with why it failed. Rejects if it was interrupted, or failed in an unknown way. Idempotent. */
type Step = (deps: Dependencies, row: Upgrading, signal: AbortSignal) => Promise<Failure | undefined>

const pollMs = 1_000
const movingMs = 60 * 60_000
const checkingMs = 3 * 60_000
const checkEveryMs = 5_000

type OpenStep = Exclude<MachineUpgradeStep, 'DONE'>

const steps: Readonly<Record<OpenStep, { run: Step; next: MachineUpgradeStep }>> = {
  MOVING: { run: untilMoved, next: 'INSTALLING' },
  INSTALLING: { run: install, next: 'CHECKING' },
  CHECKING: { run: untilFit, next: 'RETURNING' },
  RETURNING: { run: takeBack, next: 'DONE' }
}

export const isAnyOpen = async (db: Queryable): Promise<boolean> =>
  (await listNodes(db)).some(({ upgrade }) => isOpen(upgrade))

/** Continues each upgrade at its step, which an earlier process may have begun. */
export async function runUpgrades(deps: Dependencies, signal: AbortSignal): Promise<void> {
  for (const { id } of await listNodes(deps.db)) while (await runStep(deps, id, signal));
}

/** Resolves with whether the machine has another step. */
async function runStep(deps: Dependencies, id: string, signal: AbortSignal): Promise<boolean> {
  const row = (await listNodes(deps.db)).find((each) => each.id === id)
  if (!row || !isUpgrading(row)) return false
  const { step } = row.upgrade
  const { run, next } = steps[step]
  const failure = await run(deps, row, signal).catch((error: unknown): Failure => {
    if (signal.aborted) throw error
    return { code: 'OTHER', values: { reason: reasonOf(error) } }
  })
  if (failure) deps.logger.warn({ machine: id, step, failure: failure.code }, 'the upgrade of a machine stopped')
  return deps.db.transaction(async (trx) => {
    const now = await lockNode(trx, id)
    // Ended, or begun again, meanwhile.
    if (!now || !isUpgrading(now) || !isSame(row, now)) return true
    const endedAt = next === 'DONE' ? deps.now().toISOString() : null
    const upgrade = failure ? { ...now.upgrade, failure } : { ...now.upgrade, step: next, endedAt }
    await changeNode(trx, id, { upgrade })
    return isOpen(upgrade)
  })
}

const isUpgrading = (row: NodeRow): row is Upgrading => isOpen(row.upgrade)
const isSame = ({ upgrade: { step, startedAt } }: Upgrading, { upgrade: now }: Upgrading): boolean =>
  now.step === step && now.startedAt === startedAt

async function untilMoved(deps: Dependencies, row: Upgrading, signal: AbortSignal): Promise<Failure | undefined> {
  const { id, upgrade } = row
  for (;;) {
    const { moving } = await planDrain(deps.db, id, await readSituation(deps, deps.db))
    // Requests in progress end with the containers that were replaced.
    if (moving === 0 && !(await isRetiring(deps.db, id))) return undefined
    const now = await requireMachine(deps.db, id)
    if (!isUpgrading(now) || !isSame(row, now)) return undefined
    if (deps.now().getTime() - Date.parse(upgrade.startedAt) > movingMs)
      return { code: 'STUCK', values: { count: String(moving) } }
    await sleep(pollMs, undefined, { signal })
  }
}

async function install({ nodes }: Dependencies, row: Upgrading, signal: AbortSignal): Promise<Failure | undefined> {
  const { edge, packages } = await nodes.forNode(row.id)
  const work = [
    ['PANEL', () => packages?.putPanel(signal)],
    ['PACKAGES', () => packages?.upgrade(signal)],
    ['PACKAGES', () => (row.roles.includes('EDGE') ? edge?.renew() : undefined)]
  ] as const
  for (const [code, run] of work)
    try {
      await run()
    } catch (error) {
      if (signal.aborted || !(error instanceof AdapterError)) throw error
      return { code, values: { reason: reasonOf(error) } }
    }
  return undefined
}

/** Its engine may just have been started again. */
async function untilFit(deps: Dependencies, { id }: Upgrading, signal: AbortSignal): Promise<Failure | undefined> {
  for (const endsAt = performance.now() + checkingMs; ;) {
    const { problems } = await checkedMachine(deps, id)
    const [problem] = problems
    if (!problem) return undefined
    if (performance.now() > endsAt) return { code: 'PROBLEMS', values: { reason: problem.message } }
    await sleep(checkEveryMs, undefined, { signal })
  }
}

/** A project that cannot be moved back stays where it is. */
async function takeBack(deps: Dependencies, row: Upgrading): Promise<undefined> {
  const { id, upgrade } = row
  if (upgrade.wasPaused) return
  await deps.db.transaction(async (trx) => {
    const now = await lockNode(trx, id)
    if (now && isUpgrading(now) && isSame(row, now)) await changeNode(trx, id, { isPaused: false, isDraining: false })
  })
  for (const projectId of upgrade.projects)
    await returnProject(deps, row, projectId).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      deps.logger.info({ machine: id, projectId, reason: messageOf(error) }, 'a project does not return to its machine')
    })
}

async function returnProject(deps: Dependencies, row: Upgrading, projectId: string): Promise<void> {
  const { id } = row
  await deps.db.transaction(async (trx) => {
    const now = await lockNode(trx, id)
    if (!now || !isUpgrading(now) || !isSame(row, now)) return
    await queueMove(deps, trx, { nodeId: id, projectId })
    // Not a second time after an interruption.
    const projects = now.upgrade.projects.filter((each) => each !== projectId)
    await changeNode(trx, id, { upgrade: { ...now.upgrade, projects } })
  })
}
