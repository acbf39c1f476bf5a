import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { recordAudit } from '../audit/recording.service.ts'
import type { MeasuredAccount } from '../feature.ts'
import { listProjectIds, lockProject, updateProject } from '../projects/project-access.ts'

/** What each account's containers have written to their own layers. One that has written too much is stopped on the way. */
export async function measureContainers(
  deps: Dependencies,
  accounts: readonly MeasuredAccount[]
): Promise<Map<string, number>> {
  const containers = await deps.engine.listContainerSizes({ [label.instance]: deps.instanceId })
  const byUid = new Map(accounts.map(({ id, uid }) => [String(uid), id]))
  const bytes = new Map<string, number>()
  for (const { labels, writtenBytes } of containers) {
    const userId = byUid.get(labels[label.account] ?? '')
    if (userId === undefined) continue
    bytes.set(userId, (bytes.get(userId) ?? 0) + writtenBytes)
    const projectId = labels[label.project]
    if (projectId !== undefined && writtenBytes > deps.config.CONTAINER_DISK_LIMIT)
      await stopForDisk(deps, projectId, { writtenBytes, limitBytes: deps.config.CONTAINER_DISK_LIMIT })
  }
  return bytes
}

/** An account without room goes on growing: whatever of it runs may be what writes, also to a database. */
export async function stopContainersOf(deps: Dependencies, userId: string): Promise<void> {
  for (const projectId of await listProjectIds(deps.db, userId)) await stopForDisk(deps, projectId, { account: userId })
}

/** The wish goes into the store, and reconcile follows. Its owner may start it again: after a new deployment its layer is empty. */
async function stopForDisk(deps: Dependencies, projectId: string, why: Record<string, unknown>): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    if (!project || project.containerId === null || project.status === 'STOPPED') return
    await updateProject(trx, projectId, { status: 'STOPPED', stopReason: containerDiskLimit }, deps.now())
    const metadata = { reason: containerDiskLimit, ...why }
    await recordAudit(deps, trx, {}, { action: 'container.stopped', actorId: null, targetId: projectId, metadata })
  })
}

const containerDiskLimit = 'CONTAINER_DISK_LIMIT'
