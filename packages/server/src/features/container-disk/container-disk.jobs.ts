import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Labels } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { messageOf } from '../../text/message-of.ts'
import { recordAudit } from '../audit/recording.service.ts'
import { appendLog } from '../deployments/deployment-access.ts'
import { onEachMachine } from '../nodes/on-machine.service.ts'
import { type NewNotification, notify } from '../notifications/notify-access.ts'
import { findProject, listProjectIds, lockProject, updateProject } from '../projects/project-access.ts'
import {
  accountFull,
  type ContainerStop,
  evaluateLayer,
  nearSentences,
  stopLine,
  stopSentences,
  warningAt,
  warningLine
} from './container-disk.policy.ts'
import {
  type LimitedContainer,
  listAbove,
  listOwnLimits,
  markWarned,
  saveContainers
} from './container-disk.repository.ts'

/** Warns owners of containers near a limit and stops those above one, on each machine. */
export async function measureContainers(deps: Dependencies): Promise<void> {
  const limits = limitsOf(deps)
  await saveContainers(deps.db, (await onEachMachine(deps, (there) => measureThere(there, limits.bytes))).flat())
  for (const row of await listAbove(deps.db, limits, warningAt)) await enforceLimits(deps, row)
}

async function measureThere(deps: Dependencies, limitBytes: number) {
  const found = await deps.engine.listContainerSizes({ [label.instance]: deps.instanceId })
  // Build steps have no deployment label, and the panel's own containers no account label.
  const ofAccounts = found.filter(({ labels }) => labels[label.deployment] && labels[label.account])
  const containers = ofAccounts.filter(({ labels }) => !isBesideSite(labels))
  await stopFullContainers(deps, ofAccounts, limitBytes)
  const files = await countFiles(
    deps,
    containers.map(({ id }) => id)
  )
  return containers.map(({ id, labels, writtenBytes }) => ({
    containerId: id,
    projectId: labels[label.project] ?? '',
    deploymentId: labels[label.deployment]!,
    bytes: writtenBytes,
    files: files.get(id) ?? null
  }))
}

async function countFiles(deps: Dependencies, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return deps.engine.countContainerFiles(ids).catch((error: unknown) => {
    deps.logger.warn({ error: messageOf(error) }, 'could not count container files')
    return new Map<string, number>()
  })
}

const isBesideSite = (labels: Labels): boolean => labels[label.run] !== undefined || labels[label.process] !== undefined

/** Not the project's site, which continues: a run ends, and a worker starts again with an empty layer. */
async function stopFullContainers(
  deps: Dependencies,
  found: Awaited<ReturnType<Dependencies['engine']['listContainerSizes']>>,
  limitBytes: number
): Promise<void> {
  const large = found.filter(({ labels, writtenBytes }) => isBesideSite(labels) && writtenBytes > 0)
  const own = await listOwnLimits(deps.db, [...new Set(large.map(({ labels }) => labels[label.project] ?? ''))])
  for (const { id, labels, writtenBytes } of large) {
    if (writtenBytes <= (own.get(labels[label.project] ?? '') ?? limitBytes)) continue
    deps.logger.warn({ container: labels[label.deployment], writtenBytes }, 'stopping a container above the disk limit')
    await (labels[label.run] === undefined ? deps.engine.removeContainer(id) : deps.engine.stopContainer(id, 0))
  }
}

async function enforceLimits(deps: Dependencies, row: LimitedContainer): Promise<void> {
  const limits = limitsFor(deps, row)
  const { stop, isNear } = evaluateLayer(row, limits)
  if (stop !== undefined) {
    const { bytes: writtenBytes, files: writtenFiles } = row
    const why = { writtenBytes, writtenFiles, limitBytes: limits.bytes, limitFiles: limits.files }
    await stopProject(deps, row.projectId, stop, why, row)
  }
  if (isNear && row.warnedAt === null)
    await deps.db.transaction(async (trx) => {
      const isFirst = await markWarned(trx, row.containerId, deps.now())
      if (!isFirst || stop !== undefined) return
      await appendLog(trx, row.deploymentId, warningLine(row, limits))
      const project = await findProject(trx, row.projectId)
      if (project) await notifyOwner(deps, trx, project, 'container-disk', nearSentences(row, limits))
    })
}

/** For an account that is full and still growing: stops all its projects, because any of them may be what writes. */
export async function stopContainersOf(deps: Dependencies, userId: string): Promise<void> {
  for (const projectId of await listProjectIds(deps.db, userId))
    await stopProject(deps, projectId, 'CONTAINER_DISK_LIMIT', { account: userId })
}

/** Only sets the requested state; reconcile stops the container. Leaves draining containers alone. */
async function stopProject(
  deps: Dependencies,
  projectId: string,
  reason: ContainerStop,
  why: Record<string, unknown>,
  container?: LimitedContainer
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    if (!project || project.containerId === null || project.status === 'STOPPED') return
    if (container && container.containerId !== project.containerId) return
    await updateProject(trx, projectId, { status: 'STOPPED', stopReason: reason }, deps.now())
    if (container) await appendLog(trx, container.deploymentId, stopLine(container, limitsFor(deps, container)))
    await notifyOwner(
      deps,
      trx,
      project,
      'container-stopped',
      container ? stopSentences(container, limitsFor(deps, container)) : accountFull
    )
    const metadata = { reason, ...why }
    await recordAudit(deps, trx, {}, { action: 'container.stopped', actorId: null, targetId: projectId, metadata })
  })
}

const notifyOwner = (
  deps: Dependencies,
  trx: Transaction,
  { id, name, userId }: { id: string; name: string; userId: string },
  kind: 'container-disk' | 'container-stopped',
  text: NewNotification['text']
): Promise<void> =>
  notify(deps, trx, {
    userId,
    kind,
    subject: { type: 'project', id, name },
    text,
    link: `/projects/${id}`
  })

export const limitsOf = ({ config }: Pick<Dependencies, 'config'>) => ({
  bytes: config.CONTAINER_DISK_LIMIT,
  files: config.CONTAINER_FILES_LIMIT
})

const limitsFor = (deps: Pick<Dependencies, 'config'>, { limitBytes }: LimitedContainer) => ({
  ...limitsOf(deps),
  bytes: limitBytes
})
