import type { UptimePause } from '@panel/contract/uptime-checks'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { listPauses } from './host-facts.repository.ts'
import { type NewNotification, notify } from '../notifications/notify-access.ts'
import type { Judgement } from './judgement.policy.ts'
import { soonAfter, timeBefore } from './run-times.policy.ts'
import { insertIncident, lockStillTaken, type RunOutcome, saveOutcomes, type TakenRun } from './runs.repository.ts'
import { tellState } from './uptime-notification.service.ts'
import { isInDoubt, type Step, stepUptime } from './uptime.machine.ts'
import { endIncidents, pauseChecks } from './uptime-checks.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'events' | 'now' | 'jobs'>

/** A finished run; a pause reason replaces the judgement of a paused check. */
export interface EndedRun {
  run: TakenRun
  at: Date
  judgement: Judgement | UptimePause
}

/**
 * Records runs in one commit: results, states, incidents and notifications. A failure is ignored if the check is
 * paused by now, because the owner may have stopped the site during the request.
 */
export async function recordRuns(deps: Deps, ended: readonly EndedRun[]): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const taken = await lockStillTaken(
      trx,
      ended.map(({ run }) => run)
    )
    const current = ended.filter(({ run }) => taken.has(run.id))
    const failed = current.filter(({ judgement }) => typeof judgement === 'object' && judgement.outcome === 'down')
    const pauses = await listPauses(
      trx,
      failed.map(({ run }) => run.id)
    )
    const judged: { outcome: RunOutcome; step: Step }[] = []
    const resting: { run: TakenRun; pause: UptimePause }[] = []
    for (const { run, at, judgement } of current) {
      const pause = typeof judgement === 'string' ? judgement : pauses.get(run.id)
      if (typeof judgement === 'string' || pause !== undefined) resting.push({ run, pause: pause! })
      else judged.push(judgedRun(run, at, judgement))
    }
    await saveOutcomes(
      trx,
      judged.map(({ outcome }) => outcome)
    )
    for (const { outcome, step } of judged) if (step.change) await applyChange(deps, trx, outcome, step.change)
    await pauseCheck(deps, trx, resting)
  })
}

function judgedRun(run: TakenRun, at: Date, judgement: Judgement): { outcome: RunOutcome; step: Step } {
  const { seconds, isAfterGap } = timeBefore(run.intervalMinutes, run.lastKnownAt, at)
  const step = stepUptime(run, { outcome: judgement.outcome, at, retries: run.retries, isAfterGap })
  const nextRunAt = isInDoubt(step.next) ? soonAfter(run, at) : null
  return { outcome: { run, at, judgement, next: step.next, nextRunAt, seconds }, step }
}

async function applyChange(
  deps: Deps,
  trx: Transaction,
  { run, at, judgement }: RunOutcome,
  change: NonNullable<Step['change']>
): Promise<void> {
  await tellState(deps, trx, run, change.to)
  // An incident may be open from before the check was paused or changed.
  await endIncidents(trx, [run.id], at)
  if (change.to === 'DOWN') {
    const { reason, status } = judgement
    await insertIncident(trx, { checkId: run.id, startedAt: change.since, reason: reason!, status }, at)
    const down = { code: `DOWN_${reason!}`, values: { url: urlOf(run), status: status ?? '–' } } as const
    await tellOwner(deps, trx, run, 'site-down', [down, { code: 'SEE_CONTAINER_LOG' }])
  }
  // No notification for the first result.
  if (change.to === 'UP' && run.state === 'DOWN')
    await tellOwner(deps, trx, run, 'site-up', [{ code: 'UP', values: { url: urlOf(run) } }])
}

const urlOf = ({ protocol, hostname, path }: TakenRun): string => `${protocol}://${hostname}${path}`

const tellOwner = (
  deps: Deps,
  trx: Transaction,
  run: TakenRun,
  kind: 'site-down' | 'site-up',
  text: NewNotification['text']
) =>
  notify(deps, trx, {
    userId: run.userId,
    kind,
    subject: { type: 'check', id: run.id, name: run.name },
    text,
    link: `/projects/${run.projectId}`
  })

async function pauseCheck(
  deps: Deps,
  trx: Transaction,
  resting: readonly { run: TakenRun; pause: UptimePause }[]
): Promise<void> {
  const changed = resting.filter(({ run, pause }) => run.state !== 'PAUSED' || run.pause !== pause)
  await pauseChecks(
    trx,
    changed.map(({ run, pause }) => ({ id: run.id, pause })),
    deps.now()
  )
  for (const { run } of changed) await tellState(deps, trx, run, 'PAUSED')
}
