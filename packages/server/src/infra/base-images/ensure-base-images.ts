import type { ContainerEngine } from '../container-engine/container-engine.ts'
import type { BaseImages } from '../image-builder/build-plan.ts'
import { BuildError, type BuildTask } from '../image-builder/image-builder.ts'
import type { Run } from '../process/process.ts'
import { prepareBaseImages } from './base-images.ts'
import type { BaseImageKind } from './recipe.ts'

/** Sees to it that the base images of a build are there: `./panel up` prepares them, but `serve` does not. */
export function createBaseImageCheck(options: {
  engine: ContainerEngine
  images: BaseImages
  run: Run
}): (kinds: readonly BaseImageKind[], task: Pick<BuildTask, 'onLog' | 'signal'>) => Promise<void> {
  const { engine, images, run } = options
  // One preparation at a time, so that two builds do not make the same image twice.
  let tail: Promise<unknown> = Promise.resolve()
  const ensure = async (kind: BaseImageKind, log: (line: string) => void) => {
    if (await engine.findImage(images[kind])) return
    const [prepared] = await prepareBaseImages({ engine, images, kinds: [kind], log, run })
    if (prepared?.outcome === 'failed')
      throw new BuildError(
        `The base image ${images[kind]} is missing: ${prepared.problem ?? 'it could not be prepared'}`
      )
  }
  return async (kinds, task) => {
    for (const kind of kinds) {
      const mine = tail.then(() => ensure(kind, (line) => task.onLog(`${line}\n`)))
      tail = mine.catch(() => {}) // This build has the failure in `mine`; the next one tries again.
      await mine
      task.signal.throwIfAborted()
    }
  }
}
