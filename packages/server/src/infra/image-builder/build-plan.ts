import type { DetectedCommand } from '@panel/contract/detection'
import type { DetectionNoteCode } from '@panel/contract/detection-texts'
import type { ProjectType } from '@panel/contract/projects'
import type { Sentence } from '@panel/contract/sentences'
import type { Mirrors } from './mirrors.render.ts'

export interface BaseImages {
  node: string
  python: string
  static: string
  php: string
  /** Node.js with what compiles native modules, for build stages alone; undefined where there is none. */
  compilers?: string | undefined
}

export type BaseImageKind = 'node' | 'python' | 'static' | 'php'

/** What a planner decides from: names of files, the text of a few of them, and the project's settings. */
export interface PlanInput {
  /** Regular files of the repository. */
  files: ReadonlySet<string>
  symlinks: ReadonlySet<string>
  /** The text of what `Planner.reads` named, as far as it exists. */
  text: ReadonlyMap<string, string>
  buildCmd: string | undefined
  startCmd: string | undefined
  port: number | undefined
  /** The uid that the container runs as, and its gid. Default: 1000, that of the image alone. */
  owner?: number | undefined
  buildEnv: Readonly<Record<string, string>>
  images: BaseImages
  mirrors: Mirrors
  /** Labels that every stage begins with. Those of one deployment are not among them: they would defeat the layer cache. */
  labels: Readonly<Record<string, string>>
  /** The same without the project's: for stages that are the same for every project, and are then made and stored once. */
  sharedLabels: Readonly<Record<string, string>>
}

/** What was found out about a repository, for its owner. */
export interface Detection {
  framework?: string | undefined
  /** "npm", "pnpm 9"; of Python the file that lists its dependencies. */
  packageManager?: string | undefined
  build?: DetectedCommand | undefined
  /** Undefined: the server of sites, WordPress' own, or what the Dockerfile says. */
  start?: DetectedCommand | undefined
  /** Where the site lies that is served: folders that are tried one after the other. */
  site?: readonly string[] | undefined
}

/** What its owner is told beside that, such as a warning. */
export type DetectionNote = Sentence<DetectionNoteCode>

/** A decision, as data: what the build context holds and how the image is made of it. */
export interface BuildPlan {
  /** What was found: "Node.js with pnpm, build script". */
  description: string
  detected: Detection
  /** The base images that it begins from. */
  bases: readonly BaseImageKind[]
  /** Whether a stage begins from the image with compilers. */
  compiles?: boolean
  notes: readonly DetectionNote[]
  /** Path of the Dockerfile inside the context. */
  dockerfile: string
  /** Files that the panel adds to the context; they win over the repository's. */
  files: ReadonlyMap<string, string>
  /**
   * Directory of the context that holds the repository's files, with a closing slash, or '' for the root. Generated builds
   * keep them apart, so that nothing in a repository can take the place of a file of ours, and `COPY` never takes one of ours.
   */
  sourceDirectory: string
  /** Images that the repository itself names, in their canonical form: they are checked and pulled before the build. */
  references: readonly string[]
  /** Whether a stage begins from nothing. Default: none does. */
  fromScratch?: boolean
  /** Files of the repository that lie in `dependenciesDirectory` too: a layer of their own, so that a change of source keeps it. */
  dependencyFiles: ReadonlySet<string>
  /** Patterns in the form of .dockerignore for what is left out. */
  ignore: readonly string[]
  /** Undefined: what the image exposes, else 8080. */
  port: number | undefined
  /** The last stage has the stages' labels for certain, so that the result needs only the others: each costs a step. */
  isLabelled: boolean
  readOnlyRoot: boolean
  /** The directory that is the container's HOME, its user's own; undefined where there is none. */
  home?: string
  /** Where the project's files are mounted. */
  filesAt: string
}

export interface Planner {
  /** Files to read. Asked again with what was read so far, until it names nothing new. */
  reads(files: ReadonlySet<string>, text: ReadonlyMap<string, string>): readonly string[]
  /** Pure; throws BuildError where the repository cannot be built as this type. */
  plan(input: PlanInput): BuildPlan
}

export type Planners = Readonly<Record<ProjectType, Planner>>

/** Of containers that may write to their root file system. */
export const homeDirectory = '/home/app'

export const sourceDirectory = 'source/'
export const dependenciesDirectory = 'dependencies/'
export const panelDirectory = 'panel/'
