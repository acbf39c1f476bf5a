import type { Dependencies } from '../../dependencies.ts'
import type { CopyEvent, CopyOutcome } from '../../infra/mailbox-copier/mailbox-copier.ts'
import { messageOf } from '../../text/message-of.ts'
import { recordAudit } from '../audit/recording.service.ts'
import type { WorkerContext } from '../feature.ts'
import { addressOf } from '../mailboxes/mail-address.policy.ts'
import { getOwnMailbox } from '../mailboxes/mailbox-access.ts'
import { notify } from '../notifications/notify-access.ts'
import { afterProblem, whyLeftOut } from './import-problem.policy.ts'
import { progressOf } from './import-progress.policy.ts'
import {
  claimImport,
  hasDueImport,
  isStillWanted,
  listPositions,
  type MailboxImportRow,
  moveImport,
  savePosition,
  updateOwnImport
} from './mailbox-imports.repository.ts'
import { enqueueImport } from './mailbox-imports.service.ts'

/** After this time other accounts come first; the import continues later. */
const sliceMs = 10 * 60_000
const watchEveryMs = 2_000

export async function runImport(deps: Dependencies, { lease, signal }: Pick<WorkerContext, 'lease' | 'signal'>) {
  const { workerId } = lease
  const row = await claimImport(deps.db, { workerId, now: deps.now(), atOnce: deps.config.MAILBOX_IMPORTS })
  if (!row) return
  const watch = watchImport(deps, row, workerId)
  try {
    const outcome = await copyFor(deps, row, workerId, AbortSignal.any([signal, watch.signal]))
    await settle(deps, row, workerId, outcome)
  } catch (error) {
    deps.logger.error({ err: error, import: row.id }, 'mailbox import failed')
    await settle(deps, row, workerId, { problem: 'mail-server-unavailable' })
  } finally {
    watch.stop()
  }
}

function watchImport(deps: Dependencies, { id }: MailboxImportRow, workerId: number) {
  const ended = new AbortController()
  const sliceEnds = deps.now().getTime() + sliceMs
  const check = async () => {
    const isOver = deps.now().getTime() > sliceEnds && (await hasDueImport(deps.db, deps.now()))
    if (isOver || !(await isStillWanted(deps.db, id, workerId))) ended.abort()
  }
  const timer = setInterval(() => {
    check().catch((error: unknown) =>
      deps.logger.warn({ import: id, error: messageOf(error) }, 'mailbox import check failed')
    )
  }, watchEveryMs)
  return { signal: ended.signal, stop: () => clearInterval(timer) }
}

async function copyFor(
  deps: Dependencies,
  row: MailboxImportRow,
  workerId: number,
  signal: AbortSignal
): Promise<CopyOutcome> {
  const mailbox = await getOwnMailbox(deps.db, row.mailboxId, row.userId).catch(() => undefined)
  if (!mailbox) return { problem: 'aborted' }
  const own = new AbortController()
  return deps.mailboxCopier.copy(
    {
      id: row.id,
      source: {
        host: row.host,
        port: row.port,
        security: row.security,
        username: row.username,
        password: deps.secretBox.open(row.password!)
      },
      address: addressOf(mailbox),
      folders: row.folders ?? undefined,
      positions: await listPositions(deps.db, row)
    },
    {
      signal: AbortSignal.any([signal, own.signal]),
      // Position and progress in one transaction, so that neither is ahead of the other.
      onEvent: async (event) => {
        if (!(await keep(deps, row, workerId, event))) own.abort()
      }
    }
  )
}

/** False if the import no longer belongs to this worker. */
async function keep(
  deps: Dependencies,
  { id }: MailboxImportRow,
  workerId: number,
  event: CopyEvent
): Promise<boolean> {
  if (event.type === 'alive') return true
  return deps.db.transaction(async (trx) => {
    const row = await updateOwnImport(trx, id, workerId, {}, deps.now())
    if (!row) return false
    await updateOwnImport(trx, id, workerId, progressOf(row, event, whyLeftOut), deps.now())
    if (event.type === 'position') await savePosition(trx, row, event.position, deps.now())
    return true
  })
}

async function settle(
  deps: Dependencies,
  { id }: MailboxImportRow,
  workerId: number,
  { problem, detail }: CopyOutcome
): Promise<void> {
  const now = deps.now()
  await deps.db.transaction(async (trx) => {
    const row = await updateOwnImport(trx, id, workerId, {}, now)
    if (!row) return
    if (problem === undefined) return end(deps, trx, row, 'COMPLETED', null)
    if (!(await isStillWanted(trx, id, workerId)))
      return end(deps, trx, row, 'FAILED', 'The mailbox was deleted. Restore it and start the import again.')
    if (problem === 'aborted') {
      // Time slice over, or the worker is shutting down.
      await moveImport(trx, id, 'QUEUED', now, { reason: null })
      return enqueueImport(deps, trx, row)
    }
    deps.logger.info({ import: id, problem, detail }, 'mailbox import attempt failed')
    const { reason, retryAt } = afterProblem(problem, detail, row, now)
    if (retryAt === undefined) return end(deps, trx, row, 'FAILED', reason)
    await moveImport(trx, id, 'QUEUED', now, { reason, notBefore: retryAt, failures: row.failures + 1 })
  })
}

async function end(
  deps: Dependencies,
  trx: Parameters<typeof recordAudit>[1],
  row: MailboxImportRow,
  status: 'COMPLETED' | 'FAILED',
  reason: string | null
): Promise<void> {
  await moveImport(trx, row.id, status, deps.now(), { reason })
  await recordAudit(
    deps,
    trx,
    {},
    {
      action: 'mailbox.import_ended',
      actorId: row.userId,
      targetId: row.mailboxId,
      metadata: { import: row.id, host: row.host, status, messages: row.messagesDone }
    }
  )
  const mailbox = await getOwnMailbox(trx, row.mailboxId, row.userId).catch(() => undefined)
  const address = mailbox ? `${mailbox.localPart}@${mailbox.domainName}` : row.host
  await notify(deps, trx, {
    userId: row.userId,
    kind: status === 'COMPLETED' ? 'import-finished' : 'import-failed',
    subject: { type: 'mailbox', id: row.mailboxId, name: address },
    text: reason ?? [{ code: 'MAILBOX_IMPORTED', values: { count: row.messagesDone, host: row.host, address } }],
    link: '/mail'
  })
}
