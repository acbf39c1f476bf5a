import type { Dependencies } from '../../dependencies.ts'
import { projectDirectory } from '../../process/paths.ts'
import { recordAudit } from '../audit/recording.service.ts'
import { evaluateUsage } from '../disk-usage/disk-usage-access.ts'
import { notify } from '../notifications/notify-access.ts'
import { lockProject, updateProject } from '../projects/project-access.ts'
import { mebibyte } from './volume-view.ts'
import { listMeasurable, type MeasurableVolume, saveUsage, updateVolume } from './volumes.repository.ts'

/** Measures every volume, warns owners of those above their size, and stops projects that keep filling one. */
export async function measureVolumes(deps: Dependencies): Promise<void> {
  const volumes = await listMeasurable(deps.db)
  const directoryOf = ({ id }: { id: string }) => projectDirectory(deps.config, id)
  // The path is a link, which du follows only with a slash.
  const sizes = await deps.serverDisk.measure(volumes.map((volume) => `${directoryOf(volume)}/`))
  const used = new Map<string, number>()
  for (const volume of volumes) {
    const bytes = sizes.get(`${directoryOf(volume)}/`)
    if (bytes !== undefined) used.set(volume.id, bytes)
  }
  await saveUsage(deps.db, used, deps.now())
  for (const volume of volumes) {
    const bytes = used.get(volume.id)
    if (bytes !== undefined) await enforceSize(deps, volume, bytes)
  }
}

async function enforceSize(deps: Dependencies, volume: MeasurableVolume, total: number): Promise<void> {
  const limit = volume.sizeMb * mebibyte
  const verdict = evaluateUsage({
    limit,
    before: volume.measuredAt === null ? undefined : volume.usedBytes,
    total,
    overSince: volume.overSince,
    now: deps.now(),
    graceSeconds: deps.config.DISK_GRACE_SECONDS
  })
  if (verdict === 'fits' && volume.overSince !== null) await updateVolume(deps.db, volume.id, { overSince: null })
  if (verdict === 'warn') await warn(deps, volume, total)
  if (verdict === 'halt') await stopProject(deps, volume, total)
}

const usageOf = ({ name, projectName, sizeMb }: MeasurableVolume, total: number) =>
  ({
    code: 'VOLUME_ABOVE_SIZE',
    values: { volume: name, project: projectName, used: Math.round(total / mebibyte), limit: sizeMb }
  }) as const

const about = ({ projectId, projectName, userId }: MeasurableVolume) => ({
  userId,
  subject: { type: 'project', id: projectId, name: projectName } as const,
  link: `/projects/${projectId}/volumes`
})

const warn = (deps: Dependencies, volume: MeasurableVolume, total: number): Promise<void> =>
  deps.db.transaction(async (trx) => {
    await updateVolume(trx, volume.id, { overSince: deps.now() })
    const text = [usageOf(volume, total), { code: 'VOLUME_STOPS_PROJECT' } as const]
    await notify(deps, trx, { ...about(volume), kind: 'volume-full', text })
  })

/** Only sets the requested state; reconcile stops the containers. */
const stopProject = (deps: Dependencies, volume: MeasurableVolume, total: number): Promise<void> =>
  deps.db.transaction(async (trx) => {
    const { projectId, name, sizeMb } = volume
    const project = await lockProject(trx, projectId)
    if (!project || project.containerId === null || project.status === 'STOPPED') return
    await updateProject(trx, projectId, { status: 'STOPPED', stopReason: 'VOLUME_SIZE' }, deps.now())
    const text = [usageOf(volume, total), { code: 'VOLUME_STOPPED_PROJECT' } as const]
    await notify(deps, trx, { ...about(volume), kind: 'container-stopped', text })
    const metadata = { reason: 'VOLUME_SIZE', volume: name, usedBytes: total, limitBytes: sizeMb * mebibyte }
    await recordAudit(deps, trx, {}, { action: 'container.stopped', actorId: null, targetId: projectId, metadata })
  })
