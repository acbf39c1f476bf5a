import { rm } from 'node:fs/promises'
import type { FailureCode } from '@panel/contract/failure-texts'
import { Branch } from '@panel/contract/projects'
import type { Sentence } from '@panel/contract/sentences'
import { cleanCommitMessage } from '../../text/commit.ts'
import { AdapterError } from '../adapter-error.ts'
import { giveDirectory } from '../process/job-user.ts'
import { ProcessError, type Run, type RunOptions } from '../process/process.ts'
import { run } from '../process/run.ts'
import { type Argv, branchRef, fetchArgv, gitArgv, gitEnv, type GitSettings, listArgv } from './git-args.ts'
import { cleanGitLine, fetchProblem, isLocalDamage, mayBePrivate, wantedObjectFormat } from './git-problem.ts'
import { maxListedBytes, parseBranches } from './remote-branches.ts'
import { createDeployKey, writePrivateKey } from './ssh-key.ts'
import { historyDepth, readRange } from './git-history.ts'
import { createImporter } from './git-import.ts'
import { type GitPlace, inRepository, withCredentials } from './git-place.ts'
import { createTreeReader, requireCommitHash } from './git-tree.ts'
import type { Commit, Git, GitOptions, GitRemote } from './git.ts'
import {
  createRepository,
  directoryBytes,
  hasTooManyPacks,
  makeRepositoryDirectory,
  removeLeftovers,
  watchSize,
  writeAttributes
} from './repository-directory.ts'

/** Read at each use, because some settings change at runtime. */
export interface GitCliSettings extends GitSettings {
  maxRepositoryBytes: number
  maxArchiveBytes?: number
  timeoutMs: number
  listTimeoutMs?: number
}

interface Fetch {
  remote: GitRemote
  branch: string
  options: GitOptions
  timeoutMs?: number
}

type ObjectFormat = 'sha1' | 'sha256'

// Depths at which a commit is searched on a branch: the head is usually the one; 50 covers a busy branch while a build
// waits; no waiting push is 1,000 commits behind.
const searchDepths = [1, 50, 1_000] as const

const maxMessageBytes = 16 * 2 ** 20

/** The local repository does not work for this fetch; a new one may. `cause` is reported if that fails too. */
class RecreateRepository extends Error {
  readonly objectFormat: ObjectFormat
  override readonly cause: AdapterError

  constructor(cause: AdapterError, objectFormat: ObjectFormat = 'sha1') {
    super(cause.message)
    this.cause = cause
    this.objectFormat = objectFormat
  }
}

/** Runs the system's git. Calls for one directory must not overlap; the caller holds the project's lock. */
export function createGit(settings: GitCliSettings): Git {
  const env = gitEnv(settings)
  const local = (place: GitPlace, argv: Argv) => run(argv, { ...place, timeoutMs: settings.timeoutMs, env })

  return {
    fetchBranch: (directory, remote, branch, options) => {
      requireBranch(branch)
      const request = { remote, branch, options }
      return inValidRepository(directory, request, async (place) => {
        await fetch(place, request, fetchArgv(remote.url, branchRefspec(branch), 1))
        return readCommit(place, branchRef)
      })
    },

    fetchCommit: (directory, remote, branch, hash, options) => {
      requireBranch(branch)
      requireCommitHash(hash)
      const request = { remote, branch, options }
      return inValidRepository(directory, request, async (place) => {
        await fetchThroughBranch(place, request, hash)
        return readCommit(place, hash)
      })
    },

    listBranches: (directory, remote, options) => {
      const timeoutMs = Math.min(settings.listTimeoutMs ?? 30_000, settings.timeoutMs)
      const request = { remote, branch: '', options, timeoutMs }
      return inValidRepository(directory, request, async (place) => {
        const argv = listArgv(remote.url)
        const { stdout } = await runRemote(place, request, argv, { maxOutputBytes: maxListedBytes }).catch(
          (error: unknown) => {
            throw privateError(error, remote) ?? fetchError(error, request)
          }
        )
        return parseBranches(stdout)
      })
    },

    listCommits: (directory, remote, { branch, from, to }, options) => {
      requireBranch(branch)
      requireCommitHash(from)
      requireCommitHash(to)
      const request = { remote, branch, options }
      return inValidRepository(directory, request, async (place) => {
        await fetch(place, request, fetchArgv(remote.url, branchRefspec(branch), historyDepth, 'tree:0'))
        return readRange((argv) => run(argv, { ...place, timeoutMs: settings.timeoutMs, env }), { from, to })
      })
    },

    async createDeployKey(privateKeyPath) {
      const { publicKey, privateKey } = createDeployKey()
      await writePrivateKey(privateKeyPath, privateKey)
      return publicKey
    },

    remove: (path) => rm(path, { recursive: true, force: true }),

    ...createTreeReader({ run, env, settings }),
    ...createImporter({ run, env, create: (place) => create(place, 'sha1') })
  }

  /** Runs the work in a valid repository; if it turns out damaged or full, recreates it and tries once more. */
  async function inValidRepository<T>(
    directory: string,
    { options }: Fetch,
    work: (place: GitPlace) => Promise<T>
  ): Promise<T> {
    options.signal?.throwIfAborted()
    await makeRepositoryDirectory(directory)
    return inRepository(directory, run, async (place) => {
      if ((await isRepository(place)) && !(await hasTooManyPacks(directory))) await removeLeftovers(directory)
      else await create(place, 'sha1')
      try {
        return await work(place)
      } catch (error) {
        if (!(error instanceof RecreateRepository)) throw error
        await create(place, error.objectFormat)
      }
      try {
        return await work(place)
      } catch (error) {
        if (!(error instanceof RecreateRepository)) throw error
        await rm(directory, { recursive: true, force: true })
        throw error.cause
      }
    })
  }

  async function create({ cwd, as }: GitPlace, objectFormat: ObjectFormat): Promise<void> {
    await createRepository(cwd, async (fresh) => {
      const options = ['--bare', '--quiet', '--template=', `--object-format=${objectFormat}`]
      if (as) await giveDirectory(fresh, as, run)
      await local({ cwd: fresh, as }, gitArgv('init', ...options))
      await writeAttributes(fresh)
    })
  }

  async function fetch(place: GitPlace, request: Fetch, argv: Argv): Promise<void> {
    const { remote, options } = request
    const watch = watchSize(place.cwd, settings.maxRepositoryBytes)
    try {
      await runRemote(place, request, argv, {
        signal: watch.signal,
        ...(options.onProgress ? { onStderrLine: (line) => options.onProgress?.(cleanGitLine(line, remote.url)) } : {})
      })
    } catch (error) {
      if (watch.signal.aborted) throw tooLarge()
      throw fetchError(error, request)
    } finally {
      watch.stop()
    }
    if ((await directoryBytes(place.cwd)) > settings.maxRepositoryBytes) throw tooLarge()
  }

  async function runRemote(
    place: GitPlace,
    { remote, options, timeoutMs = settings.timeoutMs }: Fetch,
    argv: Argv,
    { signal, ...more }: Pick<RunOptions, 'maxOutputBytes' | 'onStderrLine' | 'signal'>
  ) {
    const signals = [options.signal, signal].filter((one) => one !== undefined)
    try {
      return await withCredentials(place, { ...settings, privateKeyPath: remote.privateKeyPath }, (lent) =>
        run(argv, {
          ...place,
          ...more,
          timeoutMs,
          env: gitEnv(lent, lent.privateKeyPath),
          signal: AbortSignal.any(signals)
        })
      )
    } catch (error) {
      options.signal?.throwIfAborted()
      throw error
    }
  }

  function tooLarge(): RecreateRepository {
    const mebibytes = Math.floor(settings.maxRepositoryBytes / 2 ** 20)
    const limit = mebibytes > 0 ? `${mebibytes} MiB` : `${settings.maxRepositoryBytes} bytes`
    return new RecreateRepository(unavailable({ code: 'GIT_TOO_LARGE', values: { limit } }))
  }

  function fetchError(error: unknown, { remote, branch, timeoutMs = settings.timeoutMs }: Fetch): unknown {
    if (!(error instanceof ProcessError) || error.reason === 'missing' || error.reason === 'not-started') return error
    const sentences = {
      timeout: { code: 'GIT_TOO_SLOW', values: { seconds: timeoutMs / 1000 } },
      'output-limit': { code: 'GIT_TOO_MANY_MESSAGES' },
      aborted: { code: 'GIT_CANCELLED' },
      failed: fetchProblem(error.stderr, { url: remote.url, branch })
    } as const
    const problem = unavailable(sentences[error.reason], error)
    const objectFormat = wantedObjectFormat(error.stderr)
    return objectFormat !== undefined || isLocalDamage(error.stderr)
      ? new RecreateRepository(problem, objectFormat)
      : problem
  }

  // Never fetches by hash: providers serve commits from forks and removed branches by hash. A commit that already
  // exists here proves nothing either.
  async function fetchThroughBranch(place: GitPlace, request: Fetch, hash: string): Promise<void> {
    for (const depth of searchDepths) {
      await fetch(place, request, fetchArgv(request.remote.url, branchRefspec(request.branch), depth))
      if (await isOnBranch(place, hash)) return
    }
    throw unavailable({ code: 'GIT_NOT_ON_BRANCH', values: { commit: hash, branch: request.branch } })
  }

  async function isOnBranch(place: GitPlace, hash: string): Promise<boolean> {
    return succeeds(() => local(place, gitArgv('merge-base', '--is-ancestor', hash, branchRef)))
  }

  async function readCommit(place: GitPlace, revision: string): Promise<Commit> {
    const format = ['--no-walk', '--no-show-signature', '--no-notes', '--encoding=UTF-8', '--format=%H%n%B']
    try {
      const argv = gitArgv('log', ...format, revision, '--')
      const { stdout } = await run(argv, {
        ...place,
        timeoutMs: settings.timeoutMs,
        env,
        maxOutputBytes: maxMessageBytes
      })
      const end = stdout.indexOf('\n')
      const commit = { hash: stdout.slice(0, end), message: cleanCommitMessage(stdout.slice(end + 1)) }
      if (await isCompleteCommit(place, commit.hash)) return commit
    } catch (error) {
      if (!(error instanceof ProcessError)) throw error
      if (error.reason === 'output-limit') throw unavailable({ code: 'GIT_MESSAGE_TOO_LONG' }, error)
      if (error.reason !== 'failed') throw error
    }
    throw new RecreateRepository(unavailable({ code: 'GIT_INCOMPLETE' }))
  }

  async function isCompleteCommit(place: GitPlace, hash: string): Promise<boolean> {
    return succeeds(() =>
      local(place, gitArgv('rev-list', '--quiet', '--objects', '--no-walk', `${hash}^{commit}`, '--'))
    )
  }

  async function isRepository(place: GitPlace): Promise<boolean> {
    return succeeds(() => local(place, gitArgv('rev-parse', '--is-bare-repository')))
  }
}

const unavailable = (sentence: Sentence<FailureCode>, cause?: Error) =>
  new AdapterError('repository-unavailable', [sentence], { cause })

function privateError(error: unknown, { url }: GitRemote): AdapterError | undefined {
  if (!(error instanceof ProcessError) || error.reason !== 'failed' || !mayBePrivate(error.stderr)) return undefined
  return new AdapterError('repository-private', [fetchProblem(error.stderr, { url, branch: '' })], { cause: error })
}

const branchRefspec = (branch: string) => `+refs/heads/${branch}:${branchRef}`

/** The contract already checks it; but a stray `:` or `*` in a refspec would change what git does. */
function requireBranch(branch: string): void {
  if (!Branch.safeParse(branch).success) throw new AdapterError('revision-invalid', 'Invalid branch name')
}

async function succeeds(command: () => ReturnType<Run>): Promise<boolean> {
  try {
    await command()
    return true
  } catch (error) {
    if (error instanceof ProcessError && error.reason === 'failed') return false
    throw error
  }
}
