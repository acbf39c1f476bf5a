import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import { commitHashPattern } from '../../text/commit.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { spawnStream } from '../process/stream.ts'
import { branchRef, gitArgv } from './git-args.ts'
import type { Git, TreeEntry } from './git.ts'
import { type GitPlace, inRepository } from './git-place.ts'

const maxListingBytes = 24 * 1024 * 1024

interface TreeSettings {
  run: Run
  env: Record<string, string>
  settings: { timeoutMs: number; maxRepositoryBytes: number; maxArchiveBytes?: number }
}

export function createTreeReader({
  run,
  env,
  settings
}: TreeSettings): Pick<Git, 'findHead' | 'listFiles' | 'readFile' | 'archive'> {
  const list = async (place: GitPlace, ...args: string[]) => {
    const argv = gitArgv('ls-tree', '-l', '-z', '--full-tree', ...args)
    return parseTree(
      (await run(argv, { ...place, timeoutMs: settings.timeoutMs, env, maxOutputBytes: maxListingBytes })).stdout
    )
  }
  const inTree = async <T>(directory: string, hash: string, read: (place: GitPlace) => Promise<T>): Promise<T> => {
    requireCommitHash(hash)
    try {
      return await inRepository(directory, run, read)
    } catch (cause) {
      if (!(cause instanceof ProcessError) && !isMissing(cause)) throw cause
      const isLong = cause instanceof ProcessError && cause.reason === 'output-limit'
      const code = isLong ? 'GIT_TOO_MANY_FILES' : 'GIT_COMMIT_MISSING'
      throw new AdapterError('repository-unavailable', [{ code, values: { commit: hash } }], { cause })
    }
  }
  return {
    async findHead(directory) {
      const argv = gitArgv('rev-parse', '--verify', '--quiet', `${branchRef}^{commit}`)
      try {
        return (
          await inRepository(directory, run, (place) => run(argv, { ...place, timeoutMs: settings.timeoutMs, env }))
        ).stdout.trim()
      } catch (error) {
        if (isMissing(error) || (error instanceof ProcessError && error.reason === 'failed')) return undefined
        throw error
      }
    },

    listFiles: (directory, hash) =>
      inTree(directory, hash, async (place) =>
        (await list(place, '-r', hash)).map(({ path, kind, sizeBytes }) => ({ path, kind, sizeBytes }))
      ),

    readFile: (directory, hash, path, maxBytes) =>
      inTree(directory, hash, async (place) => {
        if (!isTreePath(path)) return undefined
        const entry = (await list(place, hash, '--', path)).find((candidate) => candidate.path === path)
        if (entry?.kind !== 'file' || entry.sizeBytes > maxBytes) return undefined
        const argv = gitArgv('cat-file', 'blob', entry.objectId)
        return (await run(argv, { ...place, timeoutMs: settings.timeoutMs, env, maxOutputBytes: maxBytes + 1 })).stdout
      }),

    archive(directory, hash, signal, folder = '') {
      const output = new PassThrough()
      const write = async () => {
        requireCommitHash(hash)
        await inRepository(directory, run, (place) =>
          pipeline(
            spawnStream(gitArgv('archive', '--format=tar', folder === '' ? hash : `${hash}:${folder}`), {
              ...place,
              timeoutMs: settings.timeoutMs,
              env,
              maxBytes: settings.maxArchiveBytes ?? settings.maxRepositoryBytes,
              signal
            }),
            output
          )
        )
      }
      write().catch((error: Error) => output.destroy(error))
      return output
    }
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

export function requireCommitHash(hash: string): void {
  if (!commitHashPattern.test(hash)) throw new AdapterError('revision-invalid', 'A full commit hash is required')
}

type ListedEntry = TreeEntry & { objectId: string }

/** About a millisecond of work. A listing may contain millions of entries and must not block the event loop. */
const recordsPerYield = 1_000

async function parseTree(output: string): Promise<ListedEntry[]> {
  const records = output.split('\0')
  const entries: ListedEntry[] = []
  for (let from = 0; from < records.length; from += recordsPerYield) {
    entries.push(...parseRecords(records.slice(from, from + recordsPerYield)))
    await yieldToOthers()
  }
  return entries
}

/** Record format: `<mode> <type> <object> <size>TAB<path>NUL`. Directories only appear if a path was requested. */
function parseRecords(records: readonly string[]): ListedEntry[] {
  return records.flatMap((record) => {
    const [, mode = '', objectId = '', size = '', path = ''] =
      /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(record) ?? []
    const kind =
      mode === '120000' ? 'symlink' : mode === '160000' ? 'submodule' : mode.startsWith('100') ? 'file' : undefined
    return kind === undefined ? [] : [{ path, kind, sizeBytes: size === '-' ? 0 : Number(size), objectId }]
  })
}

const isTreePath = (path: string) =>
  !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
