import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { prepareBaseImages } from '../infra/base-images/base-images.ts'
import { prepareCompilers } from '../infra/base-images/compilers.ts'
import type { ContainerEngine } from '../infra/container-engine/container-engine.ts'
import type { BaseImageKind } from '../infra/image-builder/build-plan.ts'
import { run } from '../infra/process/run.ts'
import { messageOf } from '../text/message-of.ts'
import { baseImagesOf } from '../wiring/base-images.ts'
import { step } from './command.ts'

export function createBaseImageSetup(
  { config, engine, logger }: { config: Config; engine: ContainerEngine; logger: Logger },
  signal: AbortSignal
): { common(): Promise<unknown>; others(): void } {
  const images = baseImagesOf(config)
  const prepare = (kinds: readonly BaseImageKind[]) =>
    prepareBaseImages({ engine, images, kinds, log: step, run, signal })
  const warn = (error: unknown) => {
    if (!signal.aborted) logger.warn({ error: messageOf(error) }, 'could not prepare base images')
  }
  return {
    common: () => prepare(['node', 'static']),
    others() {
      void prepareCompilers({ engine, log: step, run, signal }, images)
        .catch(warn)
        .then(() => prepare(['python', 'php']))
        .catch(warn)
    }
  }
}
