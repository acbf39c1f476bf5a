import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { prepareBaseImages, type PreparationOptions } from '../infra/base-images/base-images.ts'
import { prepareCompilers } from '../infra/base-images/compilers.ts'
import type { ContainerEngine } from '../infra/container-engine/container-engine.ts'
import type { BaseImageKind } from '../infra/image-builder/build-plan.ts'
import { run } from '../infra/process/run.ts'
import { messageOf } from '../text/message-of.ts'
import { baseImagesOf, usualBaseImages } from '../wiring/base-images.ts'
import { step } from './command.ts'

export function createBaseImageSetup(
  { config, engine, logger }: { config: Config; engine: ContainerEngine; logger: Logger },
  signal: AbortSignal
): { common(): Promise<unknown>; others(): void } {
  const { prepare, prepareUsualCompilers } = baseImageSteps(config, { engine, log: step, run, signal })
  const warn = (error: unknown) => {
    if (!signal.aborted) logger.warn({ error: messageOf(error) }, 'could not prepare base images')
  }
  return {
    common: () => prepare('node', 'static'),
    others() {
      void prepareUsualCompilers()
        .catch(warn)
        .then(() => prepare('python', 'php'))
        .catch(warn)
    }
  }
}

/** The images that most projects need; the first build that needs another version prepares it. */
export function baseImageSteps(config: Config, options: Omit<PreparationOptions, 'npmRegistry'>) {
  const [node] = usualBaseImages(config, ['node'])
  return {
    prepare: (...kinds: readonly BaseImageKind[]) =>
      prepareBaseImages({ ...options, npmRegistry: config.NPM_REGISTRY, bases: usualBaseImages(config, kinds) }),
    prepareUsualCompilers: () => prepareCompilers(options, baseImagesOf(config).compilers(node!), node!.reference)
  }
}
