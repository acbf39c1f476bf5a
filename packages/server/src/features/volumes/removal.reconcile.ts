import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { messageOf } from '../../text/message-of.ts'
import { forgetVolume, listLeftVolumes } from './volumes.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'engine' | 'hostHelper' | 'instanceId' | 'logger'>

/** Removes deleted volumes that no container mounts any more, also no stopped one. */
export async function removeUnmounted(deps: Deps): Promise<'done'> {
  const left = await listLeftVolumes(deps.db)
  if (left.length === 0) return 'done'
  const containers = await deps.engine.listContainers({ [label.instance]: deps.instanceId })
  const mounted = new Set(containers.flatMap(({ labels }) => labels[label.volumes]?.split(',') ?? []))
  for (const volume of left) {
    if (mounted.has(volume.id)) continue
    // One that cannot be removed must not keep the others.
    await remove(deps, volume).catch((error: unknown) =>
      deps.logger.warn({ volume: volume.id, error: messageOf(error) }, 'could not remove a volume')
    )
  }
  return 'done'
}

/** For a deleted project, whose containers are gone. */
export async function removeVolumesOf(deps: Deps, projectId: string): Promise<void> {
  for (const volume of await listLeftVolumes(deps.db, projectId)) await remove(deps, volume)
}

async function remove(deps: Deps, { id, uid }: { id: string; uid: number }): Promise<void> {
  await deps.hostHelper.removeProject(uid, id)
  await forgetVolume(deps.db, id)
}
