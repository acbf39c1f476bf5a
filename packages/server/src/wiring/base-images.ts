import type { Config } from '../config.ts'
import { compilersReference } from '../infra/base-images/compilers.ts'
import type { BaseImages } from '../infra/image-builder/build-plan.ts'

export const baseImagesOf = (config: Config): BaseImages & { compilers: string } => ({
  node: config.BUILD_IMAGE_NODE,
  python: config.BUILD_IMAGE_PYTHON,
  static: config.BUILD_IMAGE_STATIC,
  php: config.BUILD_IMAGE_PHP,
  compilers: config.BUILD_IMAGE_COMPILERS ?? compilersReference(config.BUILD_IMAGE_NODE)
})
