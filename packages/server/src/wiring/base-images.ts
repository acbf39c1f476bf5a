import { nodeRuntime } from '@panel/contract/runtimes'
import type { Config } from '../config.ts'
import { compilersReference } from '../infra/base-images/compilers.ts'
import { debianPhp, debianPython } from '../infra/base-images/recipe.ts'
import {
  baseImage,
  type BaseImage,
  type BaseImageKind,
  type BaseImages,
  withVersion
} from '../infra/image-builder/build-plan.ts'

type Images = Pick<
  Config,
  'BUILD_IMAGE_NODE' | 'BUILD_IMAGE_PYTHON' | 'BUILD_IMAGE_STATIC' | 'BUILD_IMAGE_PHP' | 'BUILD_IMAGE_COMPILERS'
>

export const baseImagesOf = (config: Images): BaseImages & { compilers: (node: BaseImage) => string } => ({
  node: config.BUILD_IMAGE_NODE,
  python: config.BUILD_IMAGE_PYTHON,
  static: config.BUILD_IMAGE_STATIC,
  php: config.BUILD_IMAGE_PHP,
  compilers: ({ reference, version }) =>
    config.BUILD_IMAGE_COMPILERS === undefined
      ? compilersReference(reference)
      : withVersion(config.BUILD_IMAGE_COMPILERS, version)
})

const preparedVersions: Readonly<Partial<Record<BaseImageKind, string>>> = {
  node: nodeRuntime.preferred,
  python: debianPython,
  php: debianPhp
}

/** The images that most projects need; other versions are prepared by the first build that needs them. */
export const usualBaseImages = (config: Images, kinds: readonly BaseImageKind[]): BaseImage[] =>
  kinds.map((kind) => baseImage(baseImagesOf(config), kind, preparedVersions[kind]))
