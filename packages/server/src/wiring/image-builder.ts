import type { Config } from '../config.ts'
import { baseImagesOf } from './base-images.ts'
import { createBaseImageCheck } from '../infra/base-images/ensure-base-images.ts'
import type { ContainerEngine } from '../infra/container-engine/container-engine.ts'
import type { Git } from '../infra/git/git.ts'
import { createBuiltinBuilder } from '../infra/image-builder/builtin-builder.ts'
import type { ImageBuilder } from '../infra/image-builder/image-builder.ts'
import { createNixpacksBuilder } from '../infra/image-builder/nixpacks-builder.ts'
import { run } from '../infra/process/run.ts'

export function createBuilder(config: Config, git: Git, engine: ContainerEngine): ImageBuilder {
  // Getters, because these settings can change at runtime.
  const limits = {
    get memoryBytes() {
      return config.BUILD_MEMORY_LIMIT
    },
    get cpus() {
      return config.BUILD_CPU_LIMIT
    },
    get pids() {
      return config.BUILD_PIDS_LIMIT
    },
    get contextBytes() {
      return config.BUILD_CONTEXT_MAX
    }
  }
  const images = baseImagesOf(config)
  const baseImages = createBaseImageCheck({ engine, images, run, npmRegistry: config.NPM_REGISTRY })
  const mirrors = { npmRegistry: config.NPM_REGISTRY, pipIndexUrl: config.PIP_INDEX_URL }
  const imagePrefix = config.BUILD_IMAGE_PREFIX
  const builtin = createBuiltinBuilder({ git, engine, images, baseImages, mirrors, imagePrefix, limits })
  if (config.BUILDER === 'builtin') return builtin
  return createNixpacksBuilder({
    program: config.BUILDER,
    imagePrefix,
    git,
    engine,
    run,
    limits,
    fallback: builtin,
    get timeoutMs() {
      return config.BUILD_TIMEOUT * 1000
    },
    ...(config.BUILDKIT_HOST === undefined ? {} : { environment: { BUILDKIT_HOST: config.BUILDKIT_HOST } })
  })
}
