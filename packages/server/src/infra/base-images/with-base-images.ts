import type { ProjectType } from '@panel/contract/projects'
import type { ContainerEngine } from '../container-engine/container-engine.ts'
import type { BaseImages } from '../image-builder/build-plan.ts'
import { BuildError, type ImageBuilder } from '../image-builder/image-builder.ts'
import type { Run } from '../process/process.ts'
import { prepareBaseImages } from './base-images.ts'
import type { BaseImageKind } from './recipe.ts'

/** What each type of project is built from; a repository's own Dockerfile names its images itself. */
const kindsOf: Readonly<Record<ProjectType, readonly BaseImageKind[]>> = {
  NODEJS: ['node'],
  PYTHON: ['python'],
  STATIC: ['static', 'node'],
  WORDPRESS: ['php'],
  DOCKERFILE: []
}

/** The builder, seeing to it that the base images of a build are there: `./panel up` prepares them, but `serve` does not. */
export function withBaseImages(
  builder: ImageBuilder,
  options: { engine: ContainerEngine; images: BaseImages; run: Run }
): ImageBuilder {
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
  return {
    async build(task) {
      for (const kind of kindsOf[task.source.type]) {
        const mine = tail.then(() => ensure(kind, (line) => task.onLog(`${line}\n`)))
        tail = mine.catch(() => {}) // This build has the failure in `mine`; the next one tries again.
        await mine
        task.signal.throwIfAborted()
      }
      return builder.build(task)
    }
  }
}
