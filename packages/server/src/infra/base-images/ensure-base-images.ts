import { messageOf } from '../../text/message-of.ts'
import type { ContainerEngine } from '../container-engine/container-engine.ts'
import type { BaseImageKind, BaseImages } from '../image-builder/build-plan.ts'
import { BuildError, type BuildTask } from '../image-builder/image-builder.ts'
import type { Run } from '../process/process.ts'
import { prepareBaseImages } from './base-images.ts'
import { prepareCompilers } from './compilers.ts'

type Task = Pick<BuildTask, 'onLog' | 'signal'>

/** What a build begins from, seen to before it. */
export interface BaseImageCheck {
  /** Rejects with BuildError where one is missing and cannot be had. */
  ensure(kinds: readonly BaseImageKind[], task: Task): Promise<void>
  /** Resolves with whether the image with compilers is there. Without it most projects are built all the same. */
  ensureCompilers(task: Task): Promise<boolean>
}

/** A machine that cannot make the image takes long to find out. */
const tryCompilersEveryMs = 600_000

/** Sees to it that the base images of a build are there: `./panel up` prepares them, but `serve` does not. */
export function createBaseImageCheck(options: {
  engine: ContainerEngine
  images: BaseImages
  run: Run
  now?: () => Date
}): BaseImageCheck {
  const { engine, images, run, now = () => new Date() } = options
  // One preparation at a time, so that two builds do not make the same image twice.
  let tail: Promise<unknown> = Promise.resolve()
  let compilersFailed: { at: number; problem: string } | undefined

  const serialized = async <T>(task: Task, work: (log: (line: string) => void) => Promise<T>): Promise<T> => {
    const mine = tail.then(() => work((line) => task.onLog(`${line}\n`)))
    tail = mine.catch(() => {}) // This build has the failure in `mine`; the next one tries again.
    const result = await mine
    task.signal.throwIfAborted()
    return result
  }
  const ensureKind = async (kind: BaseImageKind, log: (line: string) => void) => {
    if (await engine.findImage(images[kind])) return
    const [prepared] = await prepareBaseImages({ engine, images, kinds: [kind], log, run })
    if (prepared?.outcome === 'failed')
      throw new BuildError(
        `The base image ${images[kind]} is missing: ${prepared.problem ?? 'it could not be prepared'}`
      )
  }
  const tryCompilers = async (log: (line: string) => void) => {
    const isLate = compilersFailed && now().getTime() - compilersFailed.at > tryCompilersEveryMs
    if (compilersFailed && !isLate) return
    try {
      await prepareCompilers({ engine, run, log, now }, images)
      compilersFailed = undefined
    } catch (error) {
      compilersFailed = { at: now().getTime(), problem: messageOf(error) }
    }
  }
  return {
    async ensure(kinds, task) {
      for (const kind of kinds) await serialized(task, (log) => ensureKind(kind, log))
    },
    async ensureCompilers(task) {
      if (images.compilers === undefined) return false
      await serialized(task, tryCompilers)
      if (compilersFailed)
        task.onLog(
          `Note: this server has no compilers for builds, so a package that has to be compiled cannot be installed: ${compilersFailed.problem}\n`
        )
      return compilersFailed === undefined
    }
  }
}
