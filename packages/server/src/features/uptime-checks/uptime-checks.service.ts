import { pagination } from '@panel/contract/common'
import type {
  CreateUptimeCheck,
  UpdateUptimeCheck,
  UptimeCheck,
  UptimeCheckList,
  UptimeCheckQuery
} from '@panel/contract/uptime-checks'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { isCertified } from '../domains/project-route-access.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { lockUser } from '../users/account-access.ts'
import { isHostOfProject } from './host-facts.repository.ts'
import { tellState } from './uptime-notification.service.ts'
import { worstOf } from './uptime-figures.policy.ts'
import { stateNow, viewChecks } from './uptime-check-view.ts'
import {
  countChecksOf,
  deleteCheck,
  endIncidents,
  findCheck,
  insertCheck,
  listChecks,
  lockCheck,
  makeDue,
  pauseChecks,
  type SeenCheck,
  updateCheck,
  type UptimeCheckRow
} from './uptime-checks.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'jobs' | 'now'>

export interface CheckKey {
  projectId: string
  checkId: string
}

const betweenRunsMs = 10_000

export async function listUptimeChecks(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  userId: string,
  projectId: string,
  { page, limit }: UptimeCheckQuery
): Promise<UptimeCheckList> {
  const project = await getOwnProject(db, projectId, userId)
  // An account has few checks: read all for the state counts, and return one page.
  const all = await listChecks(db, project.id)
  const states = all.map((check) => stateNow(check, now()))
  const count = (state: (typeof states)[number]) => states.filter((each) => each === state).length
  return {
    uptimeChecks: await viewChecks(db, all.slice((page - 1) * limit, page * limit), now()),
    summary: {
      state: worstOf(states),
      up: count('UP'),
      down: count('DOWN'),
      unknown: count('UNKNOWN'),
      paused: count('PAUSED')
    },
    pagination: pagination(page, limit, all.length)
  }
}

export async function getOwnCheck(
  { db }: { db: Queryable },
  userId: string,
  projectId: string,
  checkId: string
): Promise<SeenCheck> {
  const project = await getOwnProject(db, projectId, userId)
  const check = await findCheck(db, project.id, checkId)
  if (!check) throw noSuchCheck()
  return check
}

export async function readUptimeCheck(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  userId: string,
  { projectId, checkId }: CheckKey
): Promise<UptimeCheck> {
  const [view] = await viewChecks(db, [await getOwnCheck({ db }, userId, projectId, checkId)], now())
  return view!
}

export async function createUptimeCheck(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  { paused, protocol, ...given }: CreateUptimeCheck
): Promise<UptimeCheck> {
  const now = deps.now()
  const id = newId(now.getTime())
  await deps.db.transaction(async (trx) => {
    await lockUser(trx, userId)
    await getOwnProject(trx, projectId, userId)
    await requireHost(trx, given.hostname, projectId)
    const most = deps.config.UPTIME_CHECKS_PER_ACCOUNT
    if ((await countChecksOf(trx, userId)) >= most)
      throw new AppError('QUOTA_EXCEEDED', `Your account has ${most} uptime checks, the maximum. Delete one first.`)
    await insertCheck(trx, {
      ...given,
      id,
      userId,
      projectId,
      protocol: protocol ?? ((await isCertified(trx, given.hostname)) ? 'https' : 'http'),
      state: paused ? 'PAUSED' : 'UNKNOWN',
      pause: paused ? 'OWNER' : null,
      stateSince: now,
      nextRunAt: paused ? null : now,
      createdAt: now,
      updatedAt: now
    })
    if (!paused) await wakeRunner(deps, trx)
    await recordAudit(deps, trx, origin, {
      action: 'uptime_check.created',
      actorId: userId,
      targetId: id,
      metadata: { projectId, hostname: given.hostname }
    })
  })
  return readUptimeCheck(deps, userId, { projectId, checkId: id })
}

export async function updateUptimeCheck(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  key: CheckKey,
  { paused, ...given }: UpdateUptimeCheck
): Promise<UptimeCheck> {
  const now = deps.now()
  await deps.db.transaction(async (trx) => {
    const before = await lockOwnCheck(trx, userId, key)
    const after = { ...before, ...given }
    if (given.hostname !== undefined) await requireHost(trx, given.hostname, key.projectId)
    if (after.method === 'HEAD' && after.text !== null)
      throw new AppError('VALIDATION_ERROR', 'text: requires the method GET: a HEAD response has no body')
    const isPaused = paused ?? before.nextRunAt === null
    // Discards a run in progress, which used the old settings.
    await updateCheck(trx, before.id, {
      ...given,
      takenAt: null,
      nextRunAt: isPaused ? null : now,
      updatedAt: now
    })
    if (isPaused && before.pause !== 'OWNER') {
      await pauseChecks(trx, [{ id: before.id, pause: 'OWNER' }], now)
      await tellState(deps, trx, before, 'PAUSED')
    } else if (!isPaused && (before.nextRunAt === null || isProbedDifferently(before, after))) {
      await beginAnew(trx, before.id, now)
      await tellState(deps, trx, before, 'UNKNOWN')
    }
    if (!isPaused) await wakeRunner(deps, trx)
    await recordAudit(deps, trx, origin, {
      action: 'uptime_check.updated',
      actorId: userId,
      targetId: before.id,
      metadata: { projectId: key.projectId, hostname: after.hostname }
    })
  })
  return readUptimeCheck(deps, userId, key)
}

export async function deleteUptimeCheck(deps: Deps, origin: AuditOrigin, userId: string, key: CheckKey): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const check = await lockOwnCheck(trx, userId, key)
    await deleteCheck(trx, check.id)
    await recordAudit(deps, trx, origin, {
      action: 'uptime_check.deleted',
      actorId: userId,
      targetId: check.id,
      metadata: { projectId: key.projectId, hostname: check.hostname }
    })
  })
}

/** Makes the check due now. */
export async function requestRun(deps: Deps, userId: string, key: CheckKey): Promise<void> {
  const now = deps.now()
  await deps.db.transaction(async (trx) => {
    const check = await lockOwnCheck(trx, userId, key)
    if (check.nextRunAt === null) throw new AppError('CONFLICT', 'The check is paused. Resume it first.')
    if (!(await makeDue(trx, check.id, now, new Date(now.getTime() - betweenRunsMs))))
      throw new AppError('RATE_LIMITED', 'The check has just run. Try again in a few seconds.', {
        retryAfterSeconds: betweenRunsMs / 1000
      })
    await wakeRunner(deps, trx)
  })
}

const wakeRunner = ({ jobs }: Pick<Deps, 'jobs'>, trx: Transaction): Promise<void> =>
  jobs.enqueue(trx, 'uptime-checks.run', {}, { key: 'asked' })

async function lockOwnCheck(trx: Transaction, userId: string, { projectId, checkId }: CheckKey) {
  await getOwnProject(trx, projectId, userId)
  const check = await lockCheck(trx, projectId, checkId)
  if (!check) throw noSuchCheck()
  return check
}

/** Resets the state, which was measured with the old settings. */
async function beginAnew(trx: Transaction, id: string, now: Date): Promise<void> {
  await updateCheck(trx, id, {
    state: 'UNKNOWN',
    pause: null,
    stateSince: now,
    recent: '',
    failingSince: null,
    lastKnownAt: null
  })
  await endIncidents(trx, [id], now)
}

const probedFields = ['hostname', 'protocol', 'path', 'method', 'expectedStatus', 'text', 'textMode'] as const

const isProbedDifferently = (before: UptimeCheckRow, after: UptimeCheckRow): boolean =>
  probedFields.some((member) => before[member] !== after[member])

async function requireHost(trx: Transaction, hostname: string, projectId: string): Promise<void> {
  if (await isHostOfProject(trx, hostname, projectId)) return
  throw new AppError(
    'INVALID_TARGET',
    'hostname: must be the automatic name of this project, a verified domain that points to it, or a name below such a wildcard'
  )
}

const noSuchCheck = () => new AppError('NOT_FOUND', 'Uptime check not found')
