import type { Labels } from './container-engine.ts'

export interface ImageSummary {
  id: string
  parentId: string | undefined
  tags: readonly string[]
  labels: Labels
  sizeBytes: number
  createdAt: Date
}

export interface UsedImage extends ImageSummary {
  /** Whether a container was made from it, also one that does not run. */
  isInUse: boolean
}

export interface ImageLayer {
  /** The same for the same content below it; undefined for pulled images, and where BuildKit's history does not tell. */
  id: string | undefined
  createdBy: string
  sizeBytes: number
  builder: Builder['kind']
}

/** The login goes to the engine as a header, never as an argument. */
export interface PullOptions {
  login?: { host: string; username: string; secret: string } | undefined
  signal?: AbortSignal
}

export interface ImageDetails extends ImageSummary {
  /** In the words of Go, such as amd64. */
  architecture: string
  exposedPorts: readonly number[]
  user: string
  onBuild: boolean
  isLocal: boolean
  /** Digests of the uncompressed layers, lowest first. */
  layers: readonly string[]
}

/** How the engine builds images, and why not with BuildKit. */
export type Builder =
  | { kind: 'buildkit'; plugin: string; version: string }
  | { kind: 'classic'; reason: 'OLD_ENGINE' | 'NO_PLUGIN' | 'OLD_PLUGIN' }

export interface BuildCacheRecord {
  id: string
  sizeBytes: number
  isInUse: boolean
  lastUsedAt: Date
}

export interface BuildOptions {
  dockerfile: string
  /** Whether a stage is FROM scratch: disables the cache on engines with CVE-2024-24557. */
  fromScratch?: boolean
  /** For ARG instructions. They stay in the history of the image. */
  buildArgs?: Readonly<Record<string, string>>
  /** For `RUN --mount=type=secret`, by id. Only with BuildKit. */
  secrets?: Readonly<Record<string, string>>
  tag: string
  labels: Labels
  /** Only the classic builder: steps of BuildKit are on the engine's default bridge. */
  network?: string
  account?: number | undefined
  memoryBytes: number
  cpus: number
  pids: number
  signal: AbortSignal
  onLog: (text: string) => void
}
