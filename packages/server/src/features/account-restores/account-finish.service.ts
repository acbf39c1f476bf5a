import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { recordAudit } from '../audit/recording.service.ts'
import { listParts } from '../backups/backup-access.ts'
import { copiesName } from '../backups/panel-backup.service.ts'
import { queueDeployment } from '../deployments/deployments.service.ts'
import { applyZone, applyZoneList } from '../dns-zones/zones.service.ts'
import { notifyAdmins } from '../notifications/notify-access.ts'
import { lockProject } from '../projects/project-access.ts'
import { idsOf } from './account-plan.service.ts'
import { type AccountRestoreRow, moveAccountRestore, releaseAccountRestore } from './account-restores.repository.ts'
import { withSnapshot } from './account-snapshot.service.ts'
import { listSignedZones } from './account-things.repository.ts'
import { restoreUploads } from './restored-uploads.service.ts'

/** Once all parts have ended: keys of signed zones and uploaded folders, then the builds of what ran, and the result. */
export async function finish(deps: Dependencies, row: AccountRestoreRow, signal: AbortSignal): Promise<void> {
  const parts = await listParts(deps.db, [row.id])
  if (parts.some(({ status }) => status === 'QUEUED' || status === 'RUNNING')) {
    await releaseAccountRestore(deps.db, row)
    return
  }
  const failed = parts.filter(({ status }) => status === 'FAILED')
  const keyless = await restoreZoneKeys(deps, row, signal)
  const withoutUpload = await restoreUploads(deps, row, signal)
  if (signal.aborted) throw new Error('the worker stops')
  const problems = [
    ...(failed.length === 0 ? [] : [`${failed.length} of ${parts.length} parts could not be restored.`]),
    ...(keyless.length === 0 ? [] : [`The DNSSEC keys of ${keyless.join(', ')} could not be restored: enter the new DS record at the registrar.`]), // oxfmt-ignore
    ...(withoutUpload.length === 0 ? [] : [`The uploaded folders of ${projectNames(row, withoutUpload)} could not be restored: upload them again.`]) // oxfmt-ignore
  ]
  const problem = problems.length === 0 ? null : problems.join(' ')
  const isMissing = new Set([...failed.map(({ projectId }) => projectId), ...withoutUpload])
  await deps.db.transaction(async (trx) => {
    const ended = await moveAccountRestore(trx, row, problem === null ? 'COMPLETED' : 'FAILED', deps.now(), { problem })
    if (!ended) return
    // A project whose files, databases or source are missing is not started without them.
    for (const release of row.rebuilt) if (!isMissing.has(release.projectId)) await rebuild(deps, trx, release)
    await recordAudit(deps, trx, {}, { action: 'account_restore.ended', actorId: row.requestedBy, targetId: row.userId, metadata: { restore: row.id, email: row.email, problem } }) // oxfmt-ignore
    await notifyAdmins(deps, trx, {
      kind: problem === null ? 'account-restored' : 'account-restore-failed',
      subject: { type: 'account', id: row.userId!, name: row.email },
      text: [
        problem === null
          ? { code: 'ACCOUNT_RESTORED', values: { email: row.email } }
          : { code: 'ACCOUNT_RESTORE_FAILED', values: { email: row.email, problem } }
      ],
      link: '/server/backups'
    })
  })
}

const projectNames = ({ items }: AccountRestoreRow, ids: readonly string[]): string =>
  items.flatMap(({ key, name }) => (ids.some((id) => key === `PROJECT:${id}`) ? [name] : [])).join(', ')

/** Resolves with the names of zones that got a new key instead. */
async function restoreZoneKeys(deps: Dependencies, row: AccountRestoreRow, signal: AbortSignal): Promise<string[]> {
  const returned = row.items.filter(({ change }) => change === 'RETURNS')
  const zones = await listSignedZones(deps.db, idsOf(returned, 'DOMAIN'))
  if (zones.length === 0) return []
  const failed: string[] = []
  try {
    await withSnapshot(deps, row, signal, async ({ fetch }) => {
      const copy = await fetch(`/${copiesName}/name-server`)
      if (copy === undefined) throw new Error('the backup has no state of the name server')
      for (const { id } of zones) await applyZone(deps, id)
      await applyZoneList(deps)
      for (const { name } of zones)
        await deps.dnsServer.restoreKey(name, copy).catch((error: unknown) => {
          deps.logger.warn({ zone: name, error: messageOf(error) }, 'DNSSEC key not restored')
          failed.push(name)
        })
    })
    return failed
  } catch (error) {
    deps.logger.warn({ accountRestore: row.id, error: messageOf(error) }, 'DNSSEC keys not restored')
    return zones.map(({ name }) => name)
  }
}

/** Images are not in a backup. */
async function rebuild(
  deps: Dependencies,
  trx: Transaction,
  { projectId, ...release }: AccountRestoreRow['rebuilt'][number]
): Promise<void> {
  const project = await lockProject(trx, projectId)
  if (!project || project.status === 'STOPPED') return
  try {
    await queueDeployment(deps, trx, project, { trigger: release.upload ? 'UPLOAD' : 'MANUAL', ...release })
  } catch (error) {
    // Thrown before any row is written: the account is suspended, or builds are queued already.
    if (!(error instanceof AppError)) throw error
    deps.logger.warn({ project: projectId, error: error.message }, 'not built after the restore')
  }
}
