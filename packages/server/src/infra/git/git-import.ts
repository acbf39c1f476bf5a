import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AdapterError } from '../adapter-error.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { gitArgv } from './git-args.ts'
import type { Git, ImportedArchive, UploadLimits } from './git.ts'
import { type GitPlace, inRepository } from './git-place.ts'
import { makeRepositoryDirectory } from './repository-directory.ts'
import { filesOfArchive, type UploadedFile } from './uploaded-archive.ts'

const uploadRef = 'refs/panel/upload'

interface ImportSettings {
  run: Run
  env: Record<string, string>
  create(place: GitPlace): Promise<void>
}

export function createImporter({ run, env, create }: ImportSettings): Pick<Git, 'importArchive'> {
  return {
    async importArchive(directory, archive, { signal, ...limits }) {
      await makeRepositoryDirectory(directory)
      try {
        return await inRepository(directory, run, async (place) => {
          await create(place)
          const options = { ...place, env, timeoutMs: limits.timeoutMs, ...(signal === undefined ? {} : { signal }) }
          const imported = await runImport(run, options, archive, limits)
          const { stdout } = await run(gitArgv('rev-parse', '--verify', `${uploadRef}^{commit}`), options)
          return { hash: stdout.trim(), ...imported }
        })
      } catch (error) {
        await rm(directory, { recursive: true, force: true })
        throw error
      } finally {
        archive.destroy()
      }
    }
  }
}

async function runImport(
  run: Run,
  options: Parameters<Run>[1],
  archive: Readable,
  limits: UploadLimits
): Promise<Omit<ImportedArchive, 'hash'>> {
  const imported = { files: 0, bytes: 0 }
  let problem: unknown
  const commands = async function* () {
    try {
      yield Buffer.from(`feature done\ncommit ${uploadRef}\ncommitter panel <> 0 +0000\ndata 0\n`)
      for await (const file of filesOfArchive(archive, limits)) {
        yield Buffer.from(fileCommand(file))
        yield* file.content
        yield Buffer.from('\n')
        imported.files += 1
        imported.bytes += file.bytes
      }
      // Without it, Git takes an input that breaks off as the end.
      yield Buffer.from('done\n')
    } catch (error) {
      problem = error
      throw error
    }
  }
  const input = Readable.from(commands(), { objectMode: false, highWaterMark: 256 * 1024 })
  try {
    await run(gitArgv('fast-import', '--quiet', '--done'), { ...options, input })
    return imported
  } catch (error) {
    options.signal?.throwIfAborted()
    if (problem !== undefined) throw problem
    if (error instanceof ProcessError && error.reason === 'timeout') throw tooSlow(error)
    throw error
  }
}

const tooSlow = (cause: Error): AdapterError =>
  new AdapterError('archive-invalid', 'The upload took too long. Omit what the build can create.', { cause })

const modes = { file: '100644', executable: '100755', symlink: '120000' } as const

/** Git's own quoting; between quotes every other byte stands for itself. */
const fileCommand = ({ path, kind, bytes }: UploadedFile): string =>
  `M ${modes[kind]} inline "${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"\ndata ${bytes}\n`
