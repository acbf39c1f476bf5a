import { messageOf } from '../../text/message-of.ts'
import type { ContainerEngine } from '../container-engine/container-engine.ts'
import type { BaseImageKind, BaseImages } from '../image-builder/build-plan.ts'
import { BuildError, type BuildTask } from '../image-builder/image-builder.ts'
import type { Run } from '../process/process.ts'
import { prepareBaseImages } from './base-images.ts'
import { prepareCompilers } from './compilers.ts'

type Task = Pick<BuildTask, 'onLog' | 'signal'>

export interface BaseImageCheck {
  ensure(kinds: readonly BaseImageKind[], task: Task): Promise<void>
  /** Resolves with whether the compilers image is available. Most projects build without it. */
  ensureCompilers(task: Task): Promise<boolean>
}

const compilersRetryMs = 600_000

export function createBaseImageCheck(options: {
  engine: ContainerEngine
  images: BaseImages
  run: Run
  now?: () => Date
}): BaseImageCheck {
  const { engine, images, run, now = () => new Date() } = options
  // Serialized so that two builds do not build the same image twice.
  let tail: Promise<unknown> = Promise.resolve()
  let compilersFailed: { at: number; problem: string } | undefined

  const serialized = async <T>(task: Task, work: (log: (line: string) => void) => Promise<T>): Promise<T> => {
    const mine = tail.then(() => work((line) => task.onLog(`${line}\n`)))
    tail = mine.catch(() => {}) // `mine` carries the failure; the next build tries again
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
    const isRetryDue = compilersFailed && now().getTime() - compilersFailed.at > compilersRetryMs
    if (compilersFailed && !isRetryDue) return
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
          `Note: The compilers image is unavailable, so packages with native code cannot be installed: ${compilersFailed.problem}\n`
        )
      return compilersFailed === undefined
    }
  }
}
