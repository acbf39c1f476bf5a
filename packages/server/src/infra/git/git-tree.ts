import { Readable } from 'node:stream'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import { commitHashPattern } from '../../commit.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { spawnStream } from '../process/stream.ts'
import { gitArgv } from './git-args.ts'
import type { Git, TreeEntry } from './git.ts'

// Some 250,000 files.
const maxListingBytes = 24 * 1024 * 1024

interface TreeSettings {
  run: Run
  env: Record<string, string>
  timeoutMs: number
  maxArchiveBytes: number
}

/** The reading half: everything comes from objects, nothing is ever written as a file. */
export function createTreeReader({
  run,
  env,
  timeoutMs,
  maxArchiveBytes
}: TreeSettings): Pick<Git, 'listFiles' | 'readFile' | 'archive'> {
  const list = async (directory: string, hash: string, ...args: string[]) => {
    requireCommitHash(hash)
    const argv = gitArgv(directory, 'ls-tree', '-l', '-z', '--full-tree', ...args)
    try {
      return await parseTree((await run(argv, { timeoutMs, env, maxOutputBytes: maxListingBytes })).stdout)
    } catch (cause) {
      if (!(cause instanceof ProcessError)) throw cause
      const problem = cause.reason === 'output-limit' ? 'has too many files' : 'is not in the fetched repository'
      throw new AdapterError('repository-unavailable', `The commit ${hash} ${problem}.`, { cause })
    }
  }
  return {
    async listFiles(directory, hash) {
      return (await list(directory, hash, '-r', hash)).map(({ path, kind, sizeBytes }) => ({ path, kind, sizeBytes }))
    },

    async readFile(directory, hash, path, maxBytes) {
      if (!isTreePath(path)) return undefined
      const entry = (await list(directory, hash, hash, '--', path)).find((candidate) => candidate.path === path)
      if (entry?.kind !== 'file' || entry.sizeBytes > maxBytes) return undefined
      const argv = gitArgv(directory, 'cat-file', 'blob', entry.objectId)
      return (await run(argv, { timeoutMs, env, maxOutputBytes: maxBytes + 1 })).stdout
    },

    archive(directory, hash, signal) {
      try {
        requireCommitHash(hash)
      } catch (error) {
        return new Readable({
          read() {
            this.destroy(error as AdapterError)
          }
        })
      }
      return spawnStream(gitArgv(directory, 'archive', '--format=tar', hash), {
        timeoutMs,
        env,
        maxBytes: maxArchiveBytes,
        signal
      })
    }
  }
}

export function requireCommitHash(hash: string): void {
  if (!commitHashPattern.test(hash))
    throw new AdapterError('revision-invalid', 'The commit is not named by its full hash')
}

type ListedEntry = TreeEntry & { objectId: string }

/** A millisecond's work. A few commits can name millions of files, which others should not wait for. */
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

/** `<mode> <type> <object> <size>TAB<path>NUL`; a directory shows up only where a path was asked for. */
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
