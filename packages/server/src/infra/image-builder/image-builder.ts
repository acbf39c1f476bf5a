import type { ErrorSentence } from '../../text/error-texts.ts'
import { AdapterError } from '../adapter-error.ts'
import type { ProjectType } from '@panel/contract/projects'
import type { BuildPlan } from './build-plan.ts'

export interface BuildSource {
  /** Bare repository and commit; undefined for a project that needs no repository (WORDPRESS without one). */
  repository: { directory: string; commitHash: string } | undefined
  type: ProjectType
  buildCmd: string | null
  startCmd: string | null
  port: number | null
  /** Visible to the build command only; never in a layer of the image or in its history. */
  buildEnv: Readonly<Record<string, string>>
}

/** What a build would do. */
export type Detected = Pick<BuildPlan, 'description' | 'detected' | 'notes' | 'port'>

/** How a project says otherwise. */
export const overrides =
  'Set the build command, the start command or the port of the project, or add a Procfile with a "web:" line.'

export interface BuildTask {
  source: BuildSource
  /** Image reference to give the result. */
  tag: string
  labels: Readonly<Record<string, string>>
  /** Whose build it is: the uid of the account. */
  account?: number | undefined
  /** The network of its steps, on which there is nobody else. */
  network: string
  signal: AbortSignal
  onLog: (text: string) => void
}

export interface BuiltImage {
  imageId: string
  /** The port that the container listens on, unless the project says otherwise. */
  port: number
  /** Whether the image runs with a read-only root file system. */
  readOnlyRoot: boolean
  /** The directory in it that is its user's own; undefined where there is none. */
  home?: string
  /** Where the project's files are mounted: what persists between deployments. */
  filesAt: string
  /** What was found, for the log: "Node.js with pnpm, build script". */
  description: string
}

/** A repository that cannot be built. The message is for its owner. */
export class BuildError extends AdapterError {
  constructor(says: string | ErrorSentence, options?: ErrorOptions) {
    super('build-refused', says, options)
    this.name = 'BuildError'
  }
}

/** Makes an image of a project's source. Rejects with BuildError for what the owner can mend, and on abort. */
export interface ImageBuilder {
  build(task: BuildTask): Promise<BuiltImage>
  /** Decides as a build does, and makes nothing. Rejects as that does where the repository cannot be built. */
  detect(source: BuildSource): Promise<Detected>
}
