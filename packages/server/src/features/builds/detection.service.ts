import { Id } from '@panel/contract/common'
import type { Detection } from '@panel/contract/detection'
import { detectionNoteTexts } from '@panel/contract/detection-texts'
import { failureTexts } from '@panel/contract/failure-texts'
import { knownSentences, sentenceText } from '@panel/contract/sentences'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { BuildError, type BuildSource, type Detected, overrides } from '../../infra/image-builder/image-builder.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { repositoryDirectory } from '../git/workspace.service.ts'
import { openAccountImages } from '../registries/image-source.service.ts'
import { getOwnProject, type ProjectRow } from '../projects/project-access.ts'
import { buildSettingsOf, type BuildSettings } from './build-settings.ts'
import { withDetectionSlot } from './detection.limits.ts'

type Deps = Pick<Dependencies, 'builder' | 'config' | 'db' | 'git' | 'imageRegistry' | 'secretBox'>

const detectionLimit = createConcurrencyLimit({ total: 32, perKey: 2, what: 'detections' })

export const getDetection = workerVerb('builds.detection', [Id, Id], getDetectionHere)

async function getDetectionHere(deps: Deps, userId: string, projectId: string): Promise<Detection> {
  const project = await getOwnProject(deps.db, projectId, userId)
  return detectionLimit.run(userId, () => withDetectionSlot(() => detectFetched(deps, project)))
}

async function detectFetched(deps: Deps, project: ProjectRow): Promise<Detection> {
  const directory = repositoryDirectory(deps.config, project.id)
  const commitHash = project.gitUrl === null ? undefined : await deps.git.findHead(directory)
  const problem = commitHash === undefined ? sourceProblem(project) : undefined
  if (problem !== undefined) return undetected(project.type, commitHash, problem)
  return detect(
    deps,
    project.userId,
    buildSettingsOf(project),
    commitHash === undefined ? undefined : { directory, commitHash }
  )
}

export async function detect(
  deps: Pick<Deps, 'builder' | 'db' | 'imageRegistry' | 'secretBox'>,
  userId: string,
  settings: BuildSettings,
  repository: BuildSource['repository']
): Promise<Detection> {
  const { type } = settings
  try {
    const accountImages = type === 'DOCKERFILE' ? (await openAccountImages(deps, userId)).images : undefined
    const found = await deps.builder.detect({ ...settings, accountImages, repository, buildEnv: {} })
    return { type, commitHash: repository?.commitHash ?? null, override: overrides, ...view(found) }
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    return undetected(type, repository?.commitHash, error)
  }
}

const undetected = (
  type: ProjectRow['type'],
  commitHash: string | undefined,
  { message, sentences }: Pick<BuildError, 'message' | 'sentences'>
): Detection => ({
  type,
  commitHash: commitHash ?? null,
  override: overrides,
  ...unknown,
  problem: message,
  sentences: knownSentences(failureTexts, sentences)
})

function sourceProblem({ type, gitUrl }: ProjectRow): BuildError | undefined {
  if (gitUrl !== null) return new BuildError({ code: 'NOTHING_FETCHED' })
  return type === 'WORDPRESS' || type === 'IMAGE' ? undefined : new BuildError({ code: 'NOT_CONNECTED' })
}

const unknown = {
  description: null,
  runtime: null,
  framework: null,
  packageManager: null,
  build: null,
  start: null,
  site: null,
  port: null,
  notes: [],
  noteSentences: []
}

function view({ description, detected, notes, port }: Detected): Omit<Detection, 'type' | 'commitHash' | 'override'> {
  return {
    description,
    runtime: detected.runtime ?? null,
    framework: detected.framework ?? null,
    packageManager: detected.packageManager ?? null,
    build: detected.build ?? null,
    start: detected.start ?? null,
    site: detected.site === undefined ? null : [...detected.site],
    port: port ?? null,
    notes: notes.map((note) => sentenceText(detectionNoteTexts, [note])),
    noteSentences: [...notes],
    problem: null,
    sentences: []
  }
}
