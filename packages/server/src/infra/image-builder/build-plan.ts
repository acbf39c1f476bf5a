import type { DetectedCommand, RuntimeVersion } from '@panel/contract/detection'
import type { DetectionNoteCode } from '@panel/contract/detection-texts'
import type { ProjectType } from '@panel/contract/projects'
import { nodeRuntime, phpRuntime, pythonRuntime, type Runtime } from '@panel/contract/runtimes'
import type { Sentence } from '@panel/contract/sentences'
import type { Mirrors } from './mirrors.render.ts'
import type { Processes } from './procfile.ts'

/** `{version}` stands for the version of the language; without it there is one version. */
export interface BaseImages {
  node: string
  python: string
  static: string
  php: string
  /** The image with compilers for a Node.js image. Absent if it cannot be prepared. */
  compilers?: ((node: BaseImage) => string) | undefined
  /** Versions that this server has, where not all are available: without a registry there is only what Debian has. */
  only?: Readonly<Partial<Record<BaseImageKind, readonly string[]>>>
}

export type BaseImageKind = 'node' | 'python' | 'static' | 'php'

export interface BaseImage {
  kind: BaseImageKind
  reference: string
  version?: string | undefined
}

const placeholder = '{version}'

export const withVersion = (reference: string, version: string | undefined): string =>
  reference.replaceAll(placeholder, version ?? '')

export const baseImage = (images: BaseImages, kind: BaseImageKind, version?: string): BaseImage => ({
  kind,
  reference: withVersion(images[kind], version),
  version
})

/** For WordPress and the web server of static sites: the PHP that every server can have. */
export const usualPhp = (images: BaseImages): BaseImage => baseImage(images, 'php', phpRuntime.preferred)

/** Every base image that a project may be built from. */
export const baseReferences = (images: BaseImages): string[] => [
  ...nodeRuntime.versions.map((version) => withVersion(images.node, version)),
  ...pythonRuntime.versions.map((version) => withVersion(images.python, version)),
  ...phpRuntime.versions.map((version) => withVersion(images.php, version)),
  images.static
]

/** Empty: an administrator chose an image whose name does not tell its version. */
export function imageVersions(
  images: Pick<BaseImages, 'node' | 'python' | 'php' | 'only'>,
  kind: 'node' | 'python' | 'php',
  { versions }: Pick<Runtime, 'versions'>
): readonly string[] {
  if (images[kind].includes(placeholder)) return images.only?.[kind] ?? versions
  const inTag = /:v?(\d+(?:\.\d+)?)/.exec(images[kind].slice(images[kind].lastIndexOf('/') + 1))?.[1]
  return versions.filter((version) => version === inTag)
}

export interface SecretKey {
  key: string
  /** Useless outside of the build: a build that ignores it is refused. */
  isForBuildOnly: boolean
}

export interface PlanInput {
  /** Directory of the project in the build context; '' if it is all of it. Otherwise the context is a workspace. */
  app: string
  files: ReadonlySet<string>
  symlinks: ReadonlySet<string>
  text: ReadonlyMap<string, string>
  buildCmd: string | undefined
  startCmd: string | undefined
  /** The web process of the Procfile, for a Dockerfile. */
  procfileStart?: string | undefined
  port: number | undefined
  /** Of a Dockerfile in the context, if it is not the usual one. */
  dockerfilePath?: string | undefined
  dockerTarget?: string | undefined
  /** Of a registry, for the type IMAGE. */
  image?: string | undefined
  /** Registries whose images a Dockerfile may name also if they are not public. */
  registryHosts?: readonly string[] | undefined
  /** Names of images, and the names by digest that take their place in the Dockerfile. */
  pinnedImages?: ReadonlyMap<string, string> | undefined
  buildArgs?: Readonly<Record<string, string>> | undefined
  installCmd?: string | undefined
  outputDirectory?: string | undefined
  /** Whether steps can mount caches and secrets. */
  hasBuildKit?: boolean | undefined
  /** Chosen by the project's owner. */
  runtimeVersion?: string | undefined
  owner?: number | undefined
  buildEnv: Readonly<Record<string, string>>
  secretKeys?: readonly SecretKey[] | undefined
  images: BaseImages
  /** Decides which versions of a language have reached the end of their life. */
  today: Date
  mirrors: Mirrors
  /** Labels for every stage. Per-deployment labels are excluded because they would defeat the layer cache. */
  labels: Readonly<Record<string, string>>
  /** `labels` without the project's: for stages shared between projects, so that they are built and stored once. */
  sharedLabels: Readonly<Record<string, string>>
}

export interface Detection {
  runtime?: RuntimeVersion | undefined
  framework?: string | undefined
  packageManager?: string | undefined
  build?: DetectedCommand | undefined
  /** Undefined: the static file server, WordPress's own start, or what the Dockerfile says. */
  start?: DetectedCommand | undefined
  site?: readonly string[] | undefined
}

export type DetectionNote = Sentence<DetectionNoteCode>

export interface BuildPlan {
  /** Directory of the repository that the build gets; '' or undefined: all of it. */
  contextDirectory?: string
  description: string
  detected: Detection
  bases: readonly BaseImage[]
  compiles?: boolean
  notes: readonly DetectionNote[]
  dockerfile: string
  /** Files that the panel adds to the context. They override the repository's. */
  files: ReadonlyMap<string, string>
  /**
   * Keeps the repository's files apart, so that they cannot replace panel files. Trailing slash, or '' for the root.
   */
  sourceDirectory: string
  references: readonly string[]
  fromScratch?: boolean
  buildArgs?: Readonly<Record<string, string>> | undefined
  /** For mounts of the Dockerfile, by id. */
  secrets?: Readonly<Record<string, string>> | undefined
  /** Variables that the Dockerfile mounts and the project does not have. */
  missingSecrets?: readonly string[]
  /** Repository files that are also in `dependenciesDirectory`: a separate layer that survives source changes. */
  dependencyFiles: ReadonlySet<string>
  ignore: readonly string[]
  port: number | undefined
  /** Whether the last stage has the stage labels, so that the image only needs the others (a label costs a step). */
  isLabelled: boolean
  readOnlyRoot: boolean
  home?: string
  filesAt: string
  /** `filesAt` is the site itself. */
  servesFiles?: boolean
  /** And the site may write there. */
  writesFiles?: boolean
  /** Folders below `filesAt` that the application expects. */
  keeps?: readonly string[]
  /** Commands of the Procfile. */
  processes?: Processes
}

type ReadSettings = Pick<PlanInput, 'app' | 'dockerfilePath'>

export interface Planner {
  /** Files to read. Called again with the content read so far until it names nothing new. */
  reads(files: ReadonlySet<string>, text: ReadonlyMap<string, string>, settings: ReadSettings): readonly string[]
  /** Pure. Throws BuildError when the repository cannot be built as this type. */
  plan(input: PlanInput): BuildPlan
}

export type Planners = Readonly<Record<ProjectType, Planner>>

export const homeDirectory = '/home/app'

export const sourceDirectory = 'source/'
export const dependenciesDirectory = 'dependencies/'
export const panelDirectory = 'panel/'
