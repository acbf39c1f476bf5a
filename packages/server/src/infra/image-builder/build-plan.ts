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
  compilers?: string | undefined
}

export type BaseImageKind = 'node' | 'python' | 'static' | 'php'

export interface PlanInput {
  files: ReadonlySet<string>
  symlinks: ReadonlySet<string>
  text: ReadonlyMap<string, string>
  buildCmd: string | undefined
  startCmd: string | undefined
  port: number | undefined
  owner?: number | undefined
  buildEnv: Readonly<Record<string, string>>
  images: BaseImages
  mirrors: Mirrors
  /** Labels for every stage. Per-deployment labels are excluded because they would defeat the layer cache. */
  labels: Readonly<Record<string, string>>
  /** `labels` without the project's: for stages shared between projects, so that they are built and stored once. */
  sharedLabels: Readonly<Record<string, string>>
}

export interface Detection {
  framework?: string | undefined
  packageManager?: string | undefined
  build?: DetectedCommand | undefined
  /** Undefined: the static file server, WordPress's own start, or what the Dockerfile says. */
  start?: DetectedCommand | undefined
  site?: readonly string[] | undefined
}

export type DetectionNote = Sentence<DetectionNoteCode>

export interface BuildPlan {
  description: string
  detected: Detection
  bases: readonly BaseImageKind[]
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
  /** Repository files that are also in `dependenciesDirectory`: a separate layer that survives source changes. */
  dependencyFiles: ReadonlySet<string>
  ignore: readonly string[]
  port: number | undefined
  /** Whether the last stage has the stage labels, so that the image only needs the others (a label costs a step). */
  isLabelled: boolean
  readOnlyRoot: boolean
  home?: string
  filesAt: string
}

export interface Planner {
  /** Files to read. Called again with the content read so far until it names nothing new. */
  reads(files: ReadonlySet<string>, text: ReadonlyMap<string, string>): readonly string[]
  /** Pure. Throws BuildError when the repository cannot be built as this type. */
  plan(input: PlanInput): BuildPlan
}

export type Planners = Readonly<Record<ProjectType, Planner>>

export const homeDirectory = '/home/app'

export const sourceDirectory = 'source/'
export const dependenciesDirectory = 'dependencies/'
export const panelDirectory = 'panel/'
