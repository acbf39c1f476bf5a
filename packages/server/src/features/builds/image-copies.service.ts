import { addAbortSignal } from 'node:stream'
import { openStatuses } from '@panel/contract/deployments'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import type { Dependencies } from '../../dependencies.ts'
import { EngineError } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { messageOf } from '../../text/message-of.ts'
import { engineOn } from '../nodes/on-machine.service.ts'
import { listReleases } from './releases.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'engine' | 'instanceId' | 'nodeId' | 'nodes'>

// The engine unpacks each whole image before it finds the layers that it has: several at once could fill its disk.
const oneAtATime = createKeyedMutex<string>()

/**
 * Images are built and kept on the panel's machine. Copies one to the machine of `deps`, unless it is there, one at a time.
 * Resolves with whether it was copied.
 */
export async function bringImage(deps: Deps, reference: string, signal?: AbortSignal): Promise<boolean> {
  const isThere = async () => (await deps.engine.findImage(reference)) !== undefined
  if (deps.nodeId === deps.instanceId || (await isThere())) return false
  return oneAtATime(deps.nodeId, async () => {
    signal?.throwIfAborted()
    if (await isThere()) return false
    const builder = await engineOn(deps, deps.instanceId)
    await builder.readImage(reference, (tar) => deps.engine.loadImage(signal ? addAbortSignal(signal, tar) : tar))
    return true
  })
}

/** Removes the copies on the machine of `deps` that no container has and no deployment is about to use. */
export async function removeCopies(deps: Deps & Pick<Dependencies, 'logger'>): Promise<void> {
  if (deps.nodeId === deps.instanceId) return
  // Before the rows, so that an image that was just brought is in the rows.
  const images = await deps.engine.listImages({ [label.instance]: deps.instanceId })
  const isOpen = (status: string) => openStatuses.some((open) => open === status)
  const needed = new Set(
    (await listReleases(deps.db))
      .filter(({ deploymentId, live, port, status }) => live === deploymentId || port !== null || isOpen(status))
      .map(({ image }) => image)
  )
  for (const reference of images.flatMap(({ tags }) => tags)) {
    if (needed.has(reference)) continue
    await deps.engine.removeImage(reference).catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw error
      deps.logger.warn({ image: reference, error: messageOf(error) }, 'could not remove the copy of an image')
    })
  }
}
