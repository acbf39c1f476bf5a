import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../../dependencies.ts'
import { freeFloor } from '../../process/free-disk-space.ts'
import { messageOf } from '../../text/message-of.ts'
import { writtenDirectories } from '../../process/paths.ts'
import { BuildError } from '../../infra/image-builder/image-builder.ts'
import { lowDiskProblem } from './free-disk.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'engine' | 'freeDiskBytes' | 'logger'>

interface DiskWatch {
  signal: AbortSignal
  stop(): void
}

const checkEveryMs = 2_000

/** A full disk would stop the database. Rejects with BuildError if a disk that builds write to is too full to start. */
export async function watchDisk(deps: Deps): Promise<DiskWatch> {
  const directories = [await deps.engine.storageDirectory(), ...writtenDirectories(deps.config)]
  const check = async () => {
    const problems = await Promise.all(
      directories.map(async (directory) =>
        lowDiskProblem(await deps.freeDiskBytes(directory), freeFloor(deps.config, directory, 'files'))
      )
    )
    const problem = problems.find((each) => each !== undefined)
    if (problem !== undefined) throw new BuildError(problem)
  }
  await check()
  const low = new AbortController()
  const stopped = new AbortController()
  void (async () => {
    while (!low.signal.aborted) {
      await sleep(checkEveryMs, undefined, { signal: stopped.signal })
      await check().catch((error: unknown) => {
        if (error instanceof BuildError) low.abort(error)
        else deps.logger.warn({ error: messageOf(error) }, 'could not check free disk space')
      })
    }
  })().catch(() => {}) // Rejects when stopped.
  return { signal: low.signal, stop: () => stopped.abort() }
}
