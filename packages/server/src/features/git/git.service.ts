import { Origin } from '../audit/origin.ts'
import { Id } from '@panel/contract/common'
import { type WorkerCall, workerVerb } from '../../worker/worker-verb.ts'
import { randomBytes } from 'node:crypto'
import { type GitInfo, GitConnect } from '@panel/contract/git'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import { AppError } from '../../errors.ts'
import type { Commit, GitOptions, GitRemote } from '../../infra/git/git.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject, lockProject, ownedBy, type ProjectRow, updateProject } from '../projects/project-access.ts'
import { openWebhookSecret } from '../projects/webhook-secret.service.ts'
import { parseAcceptedGitUrl, parseSource } from '../projects/accepted-git-url.policy.ts'
import { remoteUrl } from '../projects/git-url.policy.ts'
import { newKeyPath, repositoryDirectory } from './workspace.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'git' | 'now' | 'secretBox'>

export const defaultBranch = 'main'

export async function getGitInfo(
  deps: Pick<Deps, 'config' | 'db' | 'secretBox'>,
  userId: string,
  projectId: string,
  { secrets }: { secrets: boolean }
): Promise<GitInfo> {
  const project = await getOwnProject(deps.db, projectId, userId)
  const hasSecret = secrets && project.webhookSecret !== null
  return gitView(deps, project, hasSecret ? await openWebhookSecret(deps, projectId) : null)
}

// Per process, because the git children are. Fetches of one repository also hold a lock.
const connectionLimit = createConcurrencyLimit({ total: 4, perKey: 1, what: 'repository connections' })

/** Stores nothing if the fetch fails. */
export const connectGit = workerVerb('git.connect', [Origin, Id, Id, GitConnect], connectGitHere)

async function connectGitHere(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  input: GitConnect,
  { signal }: WorkerCall = {}
): Promise<GitInfo> {
  const project = await getOwnProject(deps.db, projectId, userId)
  if (project.type === 'IMAGE') throw new AppError('INVALID_TARGET', 'A project of the type IMAGE has no repository.')
  const { url, rootDirectory, ...source } = parseSource(deps.config, input)
  const branch = source.branch ?? defaultBranch
  if (url.kind === 'ssh' && project.sshPrivateKeyPath === null) {
    throw new AppError('GIT_UNREACHABLE', { code: 'GIT_NEEDS_KEY' })
  }
  await connectionLimit.run(userId, () =>
    fetchSource(deps, { ...project, gitUrl: url.display, branch }, null, signal === undefined ? {} : { signal })
  )
  const { row, secret } = await deps.db.transaction(async (trx) => {
    const current = ownedBy(await lockProject(trx, projectId), userId)
    const secret = current.webhookSecret === null ? newWebhookSecret() : deps.secretBox.open(current.webhookSecret)
    const webhookSecret = current.webhookSecret ?? deps.secretBox.seal(secret)
    await recordAudit(deps, trx, origin, {
      action: 'git.connected',
      actorId: userId,
      targetId: projectId,
      metadata: { gitUrl: url.display, branch, shown: 'webhookSecret' }
    })
    const values = {
      source: 'GIT' as const,
      gitUrl: url.display,
      branch,
      isPrivate: input.isPrivate,
      webhookSecret,
      ...(rootDirectory === undefined ? {} : { rootDirectory })
    }
    return { row: (await updateProject(trx, projectId, values, deps.now()))!, secret }
  })
  return gitView(deps, row, secret)
}

/** Creates a new key pair. Each key has its own path, so that a working pair exists at any moment. */
export const createSshKey = workerVerb('git.createKey', [Origin, Id, Id], createSshKeyHere)

async function createSshKeyHere(deps: Deps, origin: AuditOrigin, userId: string, projectId: string): Promise<string> {
  await getOwnProject(deps.db, projectId, userId)
  const path = newKeyPath(deps.config, projectId)
  const publicKey = await deps.git.createDeployKey(path)
  const previous = await deps.db.transaction(async (trx) => {
    const project = ownedBy(await lockProject(trx, projectId), userId)
    await updateProject(trx, projectId, { sshPublicKey: publicKey, sshPrivateKeyPath: path }, deps.now())
    await recordAudit(deps, trx, origin, { action: 'git.deploy_key_created', actorId: userId, targetId: projectId })
    return project.sshPrivateKeyPath
  })
  if (previous !== null) await deps.git.remove(previous)
  return publicKey
}

export const rotateWebhookSecret = workerVerb('git.rotateWebhookSecret', [Origin, Id, Id], rotateWebhookSecretHere)

async function rotateWebhookSecretHere(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string
): Promise<string> {
  const secret = newWebhookSecret()
  await deps.db.transaction(async (trx) => {
    ownedBy(await lockProject(trx, projectId), userId)
    await updateProject(trx, projectId, { webhookSecret: deps.secretBox.seal(secret) }, deps.now())
    await recordAudit(deps, trx, origin, {
      action: 'git.webhook_secret_rotated',
      actorId: userId,
      targetId: projectId
    })
  })
  return secret
}

export async function fetchSource(
  deps: Pick<Deps, 'config' | 'db' | 'git'>,
  project: Pick<ProjectRow, 'id' | 'gitUrl' | 'branch' | 'sshPrivateKeyPath'>,
  commitHash: string | null,
  options: GitOptions
): Promise<{ directory: string; commit: Commit }> {
  if (project.gitUrl === null)
    throw new AppError('GIT_NOT_CONNECTED', 'No Git repository is connected. Connect one first.')
  const remote = remoteOf(deps, project.gitUrl, project.sshPrivateKeyPath)
  const branch = project.branch ?? defaultBranch
  const directory = repositoryDirectory(deps.config, project.id)
  // Git's lock files make a second command fail. Builds of a project never overlap, so only a connect can collide.
  const lock = { waitMs: deps.config.GIT_TIMEOUT * 1000, ifHeld: rejectBusy }
  const commit = await withLock(deps.db, `repository:${project.id}`, lock, () =>
    commitHash === null
      ? deps.git.fetchBranch(directory, remote, branch, options)
      : deps.git.fetchCommit(directory, remote, branch, commitHash, options)
  )
  return { directory, commit }
}

/** Checks the URL again, because the configuration may have become stricter since it was stored. */
export const remoteOf = (
  { config }: Pick<Deps, 'config'>,
  gitUrl: string,
  privateKeyPath: string | null
): GitRemote => ({
  url: remoteUrl(parseAcceptedGitUrl(config, gitUrl), config.GIT_MIRRORS),
  privateKeyPath: privateKeyPath ?? undefined
})

const rejectBusy = () => {
  throw new AppError('CONFLICT', { code: 'GIT_BUSY' })
}

function gitView({ config }: Pick<Deps, 'config'>, project: ProjectRow, webhookSecret: string | null): GitInfo {
  return {
    gitUrl: project.gitUrl,
    branch: project.branch,
    sshPublicKey: project.sshPublicKey,
    webhookUrl: `${config.API_BASE_URL}/api/webhooks/gitprovider?projectId=${project.id}`,
    webhookSecret,
    isPrivate: project.isPrivate
  }
}

const newWebhookSecret = () => randomBytes(32).toString('hex')
