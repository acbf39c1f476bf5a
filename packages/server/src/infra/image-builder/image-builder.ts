import type { ErrorSentence } from '../../text/error-texts.ts'
import { AdapterError } from '../adapter-error.ts'
import type { DeploymentPhase } from '@panel/contract/deployment-phases'
import type { ProjectType } from '@panel/contract/projects'
import type { BuildPlan, SecretKey } from './build-plan.ts'
import type { AccountImages } from './private-images.ts'
import type { PulledImage } from './pulled-image.ts'
import type { Processes } from './procfile.ts'

/** Text of the files that configure a site. */
export interface SiteFiles {
  redirects?: string | undefined
  headers?: string | undefined
  /** Of a PHP site: what configures it, and the index files that it has. Their text by path. */
  php?: Readonly<Record<string, string>> | undefined
}

/** What decides how a PHP site is built and served: by its text, or because it exists. */
export const phpManifests = ['.php-version', '.tool-versions', 'composer.json', 'composer.lock'] as const
export const phpIndexes = ['public/index.php', 'web/index.php', 'public_html/index.php', 'htdocs/index.php', 'index.php'] as const // oxfmt-ignore
export const phpSigns = ['artisan', 'symfony.lock', 'craft', 'kirby/bootstrap.php'] as const

export interface BuildSource {
  /** The site is the project's directory: only its web server is built. */
  siteFiles?: SiteFiles | undefined
  repository: { directory: string; commitHash: string } | undefined
  type: ProjectType
  buildCmd: string | null
  startCmd: string | null
  port: number | null
  /** Directory of the project in the repository. */
  rootDirectory?: string | null | undefined
  /** Path of the Dockerfile below the root directory. */
  dockerfilePath?: string | null | undefined
  /** Directory of the repository that the Dockerfile is built in, '.' for the repository itself. Default: the root directory. */
  dockerContext?: string | null | undefined
  /** Stage of the Dockerfile to build. Default: the last one. */
  dockerTarget?: string | null | undefined
  /** For ARG of a Dockerfile; they stay in the history of the image. */
  buildArgs?: Readonly<Record<string, string>> | null | undefined
  /** For the type IMAGE: by its digest, to be built; by any name, to be planned. */
  image?: PulledImage | undefined
  /** For the images that a Dockerfile names. */
  accountImages?: AccountImages | undefined
  installCmd?: string | null | undefined
  /** Directory of the site below the project's directory. */
  outputDirectory?: string | null | undefined
  /** Version of Node.js, Python or PHP, chosen by the project's owner. */
  runtimeVersion?: string | null | undefined
  /** Only visible to the build command; never in an image layer or its history. */
  buildEnv: Readonly<Record<string, string>>
  /** Variables of `buildEnv` whose values must not become build arguments. */
  secretKeys?: readonly SecretKey[]
}

export type Detected = Pick<BuildPlan, 'description' | 'detected' | 'notes' | 'port' | 'processes'>

export const overrides = `Set the project's build command, start command or port, or add a Procfile with a "web:" line.`

export interface BuildTask {
  source: BuildSource
  tag: string
  labels: Readonly<Record<string, string>>
  account?: number | undefined
  network: string
  signal: AbortSignal
  onLog: (text: string) => void
  onPhase?: (phase: Extract<DeploymentPhase, 'detect' | 'install' | 'build'>) => void
}

export interface BuiltImage {
  imageId: string
  /** Port that the container listens on, unless the project sets one. */
  port: number
  readOnlyRoot: boolean
  home?: string
  filesAt: string
  servesFiles?: boolean
  writesFiles?: boolean
  keeps?: readonly string[]
  description: string
  /** Commands of the Procfile by process. */
  processes?: Processes
}

/** In the folder of a WordPress site. Its file `generation` names the folder of the current pages. Apache denies names that start with a dot. */
export const pageCacheDirectory = '.panel-cache'

/** The repository cannot be built. The message is shown to the project's owner. */
export class BuildError extends AdapterError {
  constructor(says: string | ErrorSentence, options?: ErrorOptions) {
    super('build-refused', says, options)
    this.name = 'BuildError'
  }
}

/** Builds an image from a project's source. Rejects with BuildError for problems the owner can fix, and on abort. */
export interface ImageBuilder {
  build(task: BuildTask): Promise<BuiltImage>
  /** Plans without building. Rejects like `build` if the repository cannot be built. */
  detect(source: BuildSource): Promise<Detected>
}

/** A file of a WordPress site. While it exists, the image logs what PHP reports to wp-content/debug.log. */
export const wordpressDebugMarker = '.panel-debug'
