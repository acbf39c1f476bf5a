import type { InspectedImage, ListedImage } from './docker-answers.ts'
import { type EngineCall, type TimeLimits, unlessMissing } from './docker-call.ts'
import { withParents } from './image-layers.policy.ts'

const atOnce = 8

/** Finds the parents of images without one. The layers of an image never change, so each is read once. */
export function createParentFinder({
  call,
  limits
}: {
  call: EngineCall
  limits: TimeLimits
}): (images: readonly ListedImage[]) => Promise<ListedImage[]> {
  let known = new Map<string, readonly string[]>()
  const read = async (id: string) => {
    const image = await unlessMissing(
      call(limits.ordinary, (engine) => engine.ask<InspectedImage>('GET', `/images/${id}/json`))
    )
    return image?.RootFS?.Layers ?? []
  }
  return async (images) => {
    const ids = images.filter(({ ParentId }) => ParentId === '').map(({ Id }) => Id)
    known = new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : [])))
    const unknown = ids.filter((id) => !known.has(id))
    for (let at = 0; at < unknown.length; at += atOnce)
      await Promise.all(unknown.slice(at, at + atOnce).map(async (id) => void known.set(id, await read(id))))
    return withParents(images, (id) => known.get(id))
  }
}
