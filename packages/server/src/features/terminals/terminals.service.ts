import type { TerminalEnd, TerminalLimits } from '@panel/contract/terminals'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject, lockProject, ownedBy, type ProjectRow } from '../projects/project-access.ts'
import { getActor, lockUser } from '../users/account-access.ts'
import {
  closeTerminalRow,
  countOpenTerminals,
  deleteEndedTerminals,
  insertTerminal,
  type TerminalRow
} from './terminals.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now'>

/** How long the end of a terminal is kept for the process that serves it. The audit log keeps it for longer. */
const keptMs = 3600_000

export async function requireTerminal({ db }: Pick<Deps, 'db'>, userId: string, projectId: string): Promise<void> {
  await getActor(db, userId)
  await getOwnProject(db, projectId, userId)
}

export async function showTerminalLimits(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  userId: string
): Promise<TerminalLimits> {
  return {
    open: await countOpenTerminals(db, userId),
    maximum: config.TERMINALS_PER_ACCOUNT,
    idleSeconds: config.TERMINAL_IDLE_SECONDS,
    maxSeconds: config.TERMINAL_MAX_SECONDS
  }
}

/** Records the terminal, and resolves with its id. Its process starts afterwards. */
export async function recordTerminal(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string
): Promise<string> {
  return deps.db.transaction(async (trx) => {
    await lockUser(trx, userId)
    await getActor(trx, userId)
    requireRunning(ownedBy(await lockProject(trx, projectId), userId))
    const { TERMINALS_PER_ACCOUNT: most } = deps.config
    if (most === 0) throw new AppError('FORBIDDEN', 'Terminals are turned off on this server')
    if ((await countOpenTerminals(trx, userId)) >= most)
      throw new AppError('RATE_LIMITED', `Your account has ${most} open terminals, the maximum. Close one first.`)
    const createdAt = deps.now()
    const id = newId(createdAt.getTime())
    await deleteEndedTerminals(trx, userId, new Date(createdAt.getTime() - keptMs))
    await insertTerminal(trx, { id, userId, projectId, seenAt: createdAt, createdAt })
    const entry = { actorId: userId, targetId: projectId, metadata: { terminalId: id } }
    await recordAudit(deps, trx, origin, { action: 'terminal.opened', ...entry })
    return id
  })
}

function requireRunning(project: ProjectRow): void {
  if (project.containerId === null) throw new AppError('CONTAINER_MISSING', 'Nothing is deployed yet. Deploy first.')
  if (project.status === 'STOPPED' || project.stopReason !== null)
    throw new AppError('CONFLICT', 'The project is stopped. Start it first.')
  if (project.asleepSince !== null) throw new AppError('CONFLICT', 'The project is asleep. Start it first.')
}

/** Idempotent. Its process must have ended, or never have started. */
export async function recordTerminalEnd(
  deps: Deps,
  id: string,
  { reason, exitCode }: { reason: TerminalEnd; exitCode?: number | undefined }
): Promise<TerminalRow | undefined> {
  return deps.db.transaction(async (trx) => {
    const endedAt = deps.now()
    const row = await closeTerminalRow(trx, id, { endedAt, endReason: reason, exitCode: exitCode ?? null })
    if (!row) return undefined
    const seconds = Math.round((endedAt.getTime() - row.createdAt.getTime()) / 1000)
    const metadata = { terminalId: id, reason: row.endReason, seconds }
    await recordAudit(
      deps,
      trx,
      {},
      { action: 'terminal.closed', actorId: row.userId, targetId: row.projectId, metadata }
    )
    return row
  })
}
