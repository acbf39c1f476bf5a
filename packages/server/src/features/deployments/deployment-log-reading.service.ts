import { type DeploymentLogPiece, type DeploymentLogQuery, openStatuses } from '@panel/contract/deployments'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Queryable } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { LiveFollower } from '../live-subscription.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { createAutoResetEvent } from '../../concurrency/auto-reset-event.ts'
import { type DeploymentRow, findDeployment, findDeploymentById } from './deployments.repository.ts'
import { isAboutLog } from './log-wake.policy.ts'
import { type LogPosition, readLogEnd, readLogPiece } from './log-pieces.repository.ts'

declare module '../../infra/event-bus/event-bus.ts' {
  interface ProcessEvents {
    /** Sent by database triggers (at the end of the baseline migration). */
    'deployment-log:grew': { deploymentId: string }
  }
}

type Deps = Pick<Dependencies, 'db' | 'events'>

const answerBytes = 256 * 1024
const eventBytes = 64 * 1024

const isOpen = ({ status }: DeploymentRow) => openStatuses.some((open) => open === status)

export async function getOwnDeployment({ db }: Pick<Deps, 'db'>, userId: string, id: string): Promise<DeploymentRow> {
  const row = await findDeploymentById(db, id)
  if (!row) throw new AppError('NOT_FOUND', 'Deployment not found')
  await getOwnProject(db, row.projectId, userId)
  return row
}

export async function getDeploymentOfOwnProject(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  projectId: string,
  deploymentId: string
): Promise<DeploymentRow> {
  await getOwnProject(db, projectId, userId)
  return getDeploymentOf(db, projectId, deploymentId)
}

/** The caller has checked that the project is the user's own. */
export async function getDeploymentOf(db: Queryable, projectId: string, deploymentId: string): Promise<DeploymentRow> {
  const row = await findDeployment(db, projectId, deploymentId)
  if (!row) throw new AppError('NOT_FOUND', 'Deployment not found')
  return row
}

export async function readDeploymentLog(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { projectId, deploymentId, after, tail }: { projectId: string; deploymentId: string } & DeploymentLogQuery
): Promise<DeploymentLogPiece> {
  const row = await getDeploymentOfOwnProject({ db }, userId, projectId, deploymentId)
  // Status first: if it has ended now, the text read afterwards is complete.
  const removed = row.logRemovedAt !== null
  const end = tail === undefined ? undefined : await readLogEnd(db, deploymentId, tail, answerBytes)
  if (end) return { ...end, complete: !isOpen(row), removed }
  // If the last line is longer than one piece, start from the beginning.
  const offset = tail === undefined ? after : 0
  const piece = await readLogPiece(db, deploymentId, { offset }, answerBytes)
  const next = piece?.position.offset ?? offset
  const more = piece && (await readLogPiece(db, deploymentId, piece.position, 1))
  return {
    offset,
    text: piece?.text ?? '',
    next,
    complete: !isOpen(row) && !more,
    removed,
    ...(tail !== undefined && { line: 1 })
  }
}

interface Followed {
  deploymentId: string
  after: number
}

// Each may hold one unacknowledged piece in memory.
const followLimit = createConcurrencyLimit({ total: 400, perKey: 20, what: 'followed logs' })

export const followDeploymentLog = (
  deps: Deps,
  follower: Pick<LiveFollower, 'caller' | 'send' | 'signal'>,
  followed: Followed
): Promise<void> => followLimit.run(follower.caller.userId, () => follow(deps, follower, followed))

async function follow(
  { db, events }: Deps,
  { caller, send, signal }: Pick<LiveFollower, 'caller' | 'send' | 'signal'>,
  { deploymentId, after }: Followed
): Promise<void> {
  const changed = createAutoResetEvent()
  const unsubscribe = events.subscribe({
    onEvent(event) {
      if (isAboutLog(event, { deploymentId, userId: caller.userId })) changed.set()
    },
    onGap: () => changed.set()
  })
  try {
    for (let position: LogPosition = { offset: after }; ;) {
      const row = await findDeploymentById(db, deploymentId)
      for (let piece; (piece = await readLogPiece(db, deploymentId, position, eventBytes));) {
        const offset = position.offset
        position = piece.position
        await send('deployment:log', { deploymentId, offset, text: piece.text, next: position.offset })
      }
      if (!row || !isOpen(row)) return
      await changed.wait(signal)
    }
  } finally {
    unsubscribe()
  }
}
