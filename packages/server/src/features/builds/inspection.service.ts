import { Id } from '@panel/contract/common'
import { type FailureCode, failureTexts } from '@panel/contract/failure-texts'
import { readGitAddress } from '@panel/contract/git-address'
import { GitInspect, type GitInspection } from '@panel/contract/git'
import type { ProjectType } from '@panel/contract/projects'
import { knownSentences, sentenceText, type Sentence } from '@panel/contract/sentences'
import type { Dependencies } from '../../dependencies.ts'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { RemoteBranches } from '../../infra/git/git.ts'
import { type WorkerCall, workerVerb } from '../../worker/worker-verb.ts'
import { defaultBranch, remoteOf } from '../git/git.service.ts'
import { withTemporaryRepository } from '../git/workspace.service.ts'
import { parseSource } from '../projects/accepted-git-url.policy.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { withDetectionSlot } from './detection.limits.ts'
import { detect } from './detection.service.ts'
import { filesIn, onlyPlace, projectPlaces } from './project-places.policy.ts'
import { suggestedType } from './project-type.policy.ts'

type Deps = Pick<Dependencies, 'builder' | 'config' | 'db' | 'git' | 'imageRegistry' | 'now' | 'secretBox'>

// A separate, wide limit: slow Git servers must not block other inspections or connecting a repository.
const inspectionLimit = createConcurrencyLimit({ total: 16, perKey: 1, what: 'repository inspections' })

export const inspectRepository = workerVerb('builds.inspect', [Id, GitInspect], inspectHere)

async function inspectHere(
  deps: Deps,
  userId: string,
  input: GitInspect,
  { signal }: WorkerCall = {}
): Promise<GitInspection> {
  const { kind, host, path, display: gitUrl } = parseSource(deps.config, input).url
  const project = input.projectId === undefined ? undefined : await getOwnProject(deps.db, input.projectId, userId)
  const isSsh = kind === 'ssh'
  const sshUrl = isSsh ? gitUrl : `git@${host}:${path}`
  const found = { gitUrl, sshUrl, private: isSsh }
  const key = isSsh ? (project?.sshPrivateKeyPath ?? null) : null
  if (isSsh && key === null) return { ...found, ...unread, ...problemOf([{ code: 'GIT_NEEDS_KEY_OF_PROJECT' }]) }
  const remote = remoteOf(deps, gitUrl, key)
  const options = signal === undefined ? {} : { signal }
  return inspectionLimit.run(userId, () =>
    withTemporaryRepository(deps, async (directory) => {
      const listed = await deps.git.listBranches(directory, remote, options).catch(privateProblem)
      if ('problem' in listed) return { ...found, ...unread, private: true, ...listed }
      const address = readGitAddress(input.gitUrl, input.branch === undefined ? listed.names : [input.branch])
      const branch = input.branch ?? address.branch ?? branchOf(listed)
      const answer = { ...found, branches: [...listed.names], default: listed.head ?? null, branch: branch ?? null }
      if (branch === undefined) return { ...unread, ...answer, ...problemOf([{ code: 'GIT_EMPTY' }]) }
      const { hash } = await deps.git.fetchBranch(directory, remote, branch, options)
      const source = { directory, commitHash: hash }
      const { rootDirectory = address.folder } = input
      const inspected = await withDetectionSlot(() => inspectCommit(deps, userId, source, { ...input, rootDirectory }))
      return { ...answer, ...inspected, problem: null, sentences: [] }
    })
  )
}

const branchOf = ({ head, names }: RemoteBranches) => head ?? (names.includes(defaultBranch) ? defaultBranch : names[0])

/** The requested place and type, else those that the files suggest. */
async function inspectCommit(
  deps: Deps,
  userId: string,
  repository: { directory: string; commitHash: string },
  input: Pick<GitInspect, 'type' | 'rootDirectory' | 'dockerfilePath'>
): Promise<Pick<GitInspection, 'detection' | 'places' | 'rootDirectory' | 'dockerfilePath'>> {
  const entries = await deps.git.listFiles(repository.directory, repository.commitHash)
  const files = new Set(entries.filter(({ kind }) => kind === 'file').map(({ path }) => path))
  const places = projectPlaces(files)
  const { rootDirectory, dockerfilePath } = input
  const place =
    rootDirectory === undefined && dockerfilePath === undefined && input.type === undefined
      ? onlyPlace(files, places)
      : { rootDirectory: rootDirectory ?? null, dockerfilePath: dockerfilePath ?? null, type: undefined }
  const where = { rootDirectory: place?.rootDirectory ?? null, dockerfilePath: place?.dockerfilePath ?? null }
  const type = input.type ?? place?.type ?? typeAt(files, where)
  const settings = { type, buildCmd: null, startCmd: null, port: null, ...where }
  return { ...where, places, detection: await detect(deps, userId, settings, repository) }
}

const typeAt = (
  files: ReadonlySet<string>,
  { rootDirectory, dockerfilePath }: Pick<GitInspection, 'rootDirectory' | 'dockerfilePath'>
): ProjectType => (dockerfilePath === null ? suggestedType(filesIn(files, rootDirectory ?? '')) : 'DOCKERFILE')

type Problem = Pick<GitInspection, 'sentences'> & { problem: string }

const problemOf = (sentences: readonly Sentence<FailureCode>[]): Problem => ({
  problem: sentenceText(failureTexts, sentences),
  sentences: [...sentences]
})

function privateProblem(error: unknown): Problem {
  if (error instanceof AdapterError && error.kind === 'repository-private')
    return problemOf(knownSentences(failureTexts, error.sentences))
  throw error
}

const unread = {
  branches: [],
  default: null,
  branch: null,
  rootDirectory: null,
  dockerfilePath: null,
  places: [],
  detection: null
}
