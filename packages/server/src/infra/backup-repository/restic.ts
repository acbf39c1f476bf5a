import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { AdapterError, explain } from '../adapter-error.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProcessError, type Run, type RunOptions } from '../process/process.ts'
import type { BackupRepository, Repository, SavedSnapshot, SnapshotEntry } from './backup-repository.ts'
import { excludeOptions, literalPattern, resticCommand, secretsOf } from './restic-command.ts'
import {
  readBackupLine,
  readEntryLine,
  readForgotten,
  readProblemLine,
  readSize,
  readSnapshots
} from './restic-output.policy.ts'
import { writePlaceFiles } from './restic-place-files.ts'
import { lines, passOn, tarChecksums } from './restic-streams.ts'

interface ResticOptions {
  run: Run
  /** Private directory for restic's caches and, during a call, the files with keys. */
  directory: string
}

const minute = 60_000
// A first backup over a slow line takes days: such calls end when they make no progress.
const limits = {
  short: { timeoutMs: 2 * minute },
  long: { timeoutMs: 7 * 24 * 60 * minute, idleTimeoutMs: 15 * minute }
}
// Arguments, never text of a shell: mounts each pair, then becomes the program.
const mountEach = 'while [ "$1" != -- ]; do mount --bind -- "$1" "$2" || exit; shift 2; done; shift; exec "$@"'
const hostName = 'panel'
const callPrefix = 'call-'
const lockAttempts = 8
const lockPollMs = 5_000
const listLimitBytes = 16 * 1024 * 1024

/** restic (https://restic.readthedocs.io), tried with 0.14 and 0.18. */
export function createRestic({ run, directory }: ResticOptions): BackupRepository {
  const adapter: BackupRepository = {
    async create(repository) {
      if (repository.place.kind === 'FOLDER') await makeFolder(repository.place.path)
      try {
        await restic(repository, ['init'], limits.short)
      } catch (error) {
        // It exists already: then the key must be right.
        await restic(repository, ['cat', 'config'], limits.short).catch(() => {
          throw error
        })
      }
    },

    async save(repository, { stage, roots, tags, uploadLimitKib, signal, onProgress }) {
      // From 0.17 on, restic tries for a quarter of an hour to reach a target.
      await restic(repository, ['cat', 'config'], { ...limits.short, signal })
      // Locks of processes that were killed.
      await restic(repository, ['unlock'], { ...limits.short, signal })
      let saved: SavedSnapshot | undefined
      const unread: string[] = []
      const output = lines((line) => {
        const read = readBackupLine(line)
        if (read?.type === 'progress') onProgress(read)
        if (read?.type === 'saved') saved = read.snapshot
      })
      // restic matches patterns against the path without symbolic links.
      const realStage = roots.some(({ excluded }) => excluded?.length) ? await realpath(stage) : stage
      const argv = [
        'backup',
        '--json',
        '--host',
        hostName,
        ...tags.flatMap((tag) => ['--tag', tag]),
        ...roots.flatMap((root) => excludeOptions(realStage, root)),
        ...(uploadLimitKib === undefined ? [] : ['--limit-upload', String(uploadLimitKib)]),
        '.'
      ]
      try {
        await restic(repository, argv, {
          ...limits.long,
          cwd: stage,
          signal,
          stdout: output.stream,
          // 3: some files could not be read; which ones decides.
          exitCodes: [3],
          mounts: roots,
          onStderrLine(line) {
            const problem = readProblemLine(line)
            if (problem && !problem.isGone && unread.length < 20) unread.push(problem.item || problem.text)
          }
        })
      } finally {
        await output.close()
      }
      if (!saved) throw unavailable('restic wrote no summary')
      if (unread.length === 0) return saved
      await adapter.forget(repository, [saved.snapshotId])
      throw unavailable(`Could not read ${unread.join(', ')}`)
    },

    async count(repository, snapshotId, signal) {
      const found = { files: 0, bytes: 0 }
      const output = lines((line) => {
        const entry = readEntryLine(line)
        // The summary of a backup counts these only.
        if (entry?.type !== 'FILE') return
        found.files++
        found.bytes += entry.size
      })
      await restic(repository, ['ls', '--json', snapshotId], { ...limits.long, signal, stdout: output.stream })
      await output.close()
      return found
    },

    async list(repository, snapshotId, path, limit) {
      const entries: SnapshotEntry[] = []
      const output = lines((line) => {
        const entry = readEntryLine(line)
        // restic lists the directory itself too.
        if (entry && posix.dirname(entry.path) === path && entries.length <= limit) entries.push(entry)
      })
      await restic(repository, ['ls', '--json', snapshotId, path], { ...limits.short, stdout: output.stream })
      await output.close()
      return entries
    },

    async checksum(repository, snapshotId, path, signal) {
      const hash = createHash('sha256')
      const stdout = new Writable({
        write(chunk: Buffer, _encoding, done) {
          hash.update(chunk)
          done()
        }
      })
      await restic(repository, ['dump', snapshotId, path], { ...limits.long, signal, stdout })
      await finished(stdout.end())
      return hash.digest('hex')
    },

    async checksums(repository, snapshotId, path, signal) {
      const archive = tarChecksums()
      try {
        await restic(repository, ['dump', snapshotId, path], { ...limits.long, signal, stdout: archive.stream })
      } catch (error) {
        archive.stream.destroy()
        throw error
      }
      return archive.close()
    },

    async listSnapshots(repository, signal) {
      const { stdout } = await restic(repository, ['snapshots', '--json'], {
        ...limits.long,
        signal,
        maxOutputBytes: listLimitBytes
      })
      return readSnapshots(stdout)
    },

    async restoreSize(repository, snapshotIds, signal) {
      const argv = ['stats', '--json', '--mode', 'restore-size', ...snapshotIds]
      const { stdout } = await restic(repository, argv, { ...limits.long, signal })
      return readSize(stdout)
    },

    async restore(repository, snapshotId, { path, directory: target, signal }) {
      const argv = [
        'restore',
        snapshotId,
        '--target',
        target,
        ...(path === '' ? [] : ['--include', literalPattern(path)])
      ]
      await restic(repository, argv, { ...limits.long, signal, maxOutputBytes: listLimitBytes })
    },

    async retain(repository, { keepDaily, keepWeekly, keepMonthly }, signal) {
      const keep = { daily: keepDaily, weekly: keepWeekly, monthly: keepMonthly }
      const policy = Object.entries(keep).flatMap(([name, count]) =>
        count > 0 ? [`--keep-${name}`, String(count)] : []
      )
      const { stdout } = await restic(repository, ['forget', '--json', '--group-by', 'tags', ...policy], {
        ...limits.long,
        signal,
        maxOutputBytes: listLimitBytes
      })
      return readForgotten(stdout)
    },

    async forget(repository, snapshotIds) {
      if (snapshotIds.length === 0) return
      await restic(repository, ['forget', ...snapshotIds], limits.long)
    },

    async cleanUp() {
      const names = await readdir(directory).catch(() => [])
      for (const name of names)
        if (name.startsWith(callPrefix)) await rm(join(directory, name), { recursive: true, force: true })
    },

    async maintain(repository, dataPart, signal) {
      await restic(repository, ['prune'], { ...limits.long, signal })
      await restic(repository, ['check', `--read-data-subset=${dataPart}`], { ...limits.long, signal })
    }
  }
  return adapter

  type Options = RunOptions & { mounts?: readonly { name: string; directory: string }[] }

  /** Removes a lock of a dead process, and waits for one of a living process, which has written nothing to `stdout`. */
  async function restic(repository: Repository, argv: readonly string[], options: Options) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(repository, argv, options)
      } catch (error) {
        const isLocked = error instanceof ProcessError && /already locked/.test(error.stderr)
        if (!isLocked || attempt === lockAttempts || options.signal?.aborted) throw failure(repository, error)
        await once(repository, ['unlock'], limits.short).catch(() => {})
        if (attempt > 1) await sleep(lockPollMs)
      }
    }
  }

  async function once(repository: Repository, argv: readonly string[], { mounts = [], stdout, ...options }: Options) {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const keys = await mkdtemp(join(directory, callPrefix))
    try {
      const files = await writePlaceFiles(repository.place, keys)
      const { options: global, env } = resticCommand(repository, files, join(directory, 'cache'))
      const program = ['nice', '-n', '10', 'restic', ...global, ...argv] as const
      const pairs = mounts.flatMap(({ name, directory }) => [directory, name])
      const command: [string, ...string[]] =
        mounts.length === 0
          ? [...program]
          : [
              'unshare',
              '--mount',
              '--propagation=private',
              '--',
              'sh',
              '-c',
              mountEach,
              'sh',
              ...pairs,
              '--',
              ...program
            ]
      const passed = stdout && passOn(stdout)
      const result = await run(command, { ...options, env, ...(passed && { stdout: passed }) })
      if (passed) await finished(passed)
      return result
    } finally {
      await rm(keys, { recursive: true, force: true })
    }
  }
}

/** The parent must exist: a disk that is not mounted must not be replaced by a directory of the root file system. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    throw unavailable(error.code === 'ENOENT' ? `The directory ${dirname(path)} does not exist` : error.message)
  })
}

const unavailable = (reason: string, cause?: unknown) =>
  new AdapterError('backup-target-unavailable', 'The backup target is unavailable.', {
    reason,
    ...(cause === undefined ? {} : { cause })
  })

function failure(repository: Repository, error: unknown): unknown {
  if (!(error instanceof ProcessError)) return error
  if (error.reason === 'missing') return unavailable('restic is not installed. Run apt-get install restic', error)
  const said = error.stderr.trim() === '' ? (explain(error) ?? error.message) : error.stderr
  const reason = secretsOf(repository).reduce((text, secret) => text.replaceAll(secret, '***'), said)
  return unavailable(reason.trim().split('\n').slice(-3).join(' ').slice(0, 500), error)
}
