import { addAbortSignal, type Readable } from 'node:stream'
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

/** Layers that were sent, of all. */
interface Copied {
  sent: number
  layers: number
}

/**
 * Images are built and kept on the panel's machine. Copies one to the machine of `deps`, unless it is there: the layers that
 * the machine does not have, one image at a time. Undefined if nothing was copied.
 */
export async function bringImage(deps: Deps, reference: string, signal?: AbortSignal): Promise<Copied | undefined> {
  const isThere = async () => (await deps.engine.findImage(reference)) !== undefined
  if (deps.nodeId === deps.instanceId || (await isThere())) return
  return oneAtATime(deps.nodeId, async () => {
    signal?.throwIfAborted()
    if (await isThere()) return
    const builder = await engineOn(deps, deps.instanceId)
    const load = (tar: Readable) => deps.engine.loadImage(signal ? addAbortSignal(signal, tar) : tar)
    const layers = (await builder.findImage(reference))?.layers ?? []
    const common = await countCommonLayers(deps, layers)
    try {
      await builder.readImage(reference, load, common)
      return { sent: layers.length - common, layers: layers.length }
    } catch (error) {
      // The image that had these layers was removed since, or the engine's store takes whole images only.
      if (common === 0 || !(error instanceof EngineError)) throw error
      await builder.readImage(reference, load)
      return { sent: layers.length, layers: layers.length }
    }
  })
}

// One call each, newest first: the earlier image of the same project has nearly all layers.
const comparedImages = 30

/** How many of the layers, from the lowest, an image on the machine of `deps` has too. */
async function countCommonLayers(deps: Deps, layers: readonly string[]): Promise<number> {
  const there = await deps.engine.listImages({ [label.instance]: deps.instanceId })
  let most = 0
  for (const { id } of there
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .slice(0, comparedImages)) {
    const theirs = (await deps.engine.findImage(id))?.layers ?? []
    const differs = layers.findIndex((layer, index) => theirs[index] !== layer)
    most = Math.max(most, differs === -1 ? layers.length : differs)
  }
  return most
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
