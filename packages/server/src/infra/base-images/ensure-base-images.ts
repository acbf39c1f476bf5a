import { messageOf } from '../../text/message-of.ts'
import type { ContainerEngine } from '../container-engine/container-engine.ts'
import type { BaseImage, BaseImages } from '../image-builder/build-plan.ts'
import { BuildError, type BuildTask } from '../image-builder/image-builder.ts'
import type { Run } from '../process/process.ts'
import { prepareBaseImages } from './base-images.ts'
import { prepareCompilers } from './compilers.ts'

type Task = Pick<BuildTask, 'onLog' | 'signal'>

export interface BaseImageCheck {
  /** Rejects with MissingBaseImage. */
  ensure(bases: readonly BaseImage[], task: Task): Promise<void>
  /** Resolves with whether the compilers image for a Node.js image is available. Most projects build without it. */
  ensureCompilers(node: BaseImage, task: Task): Promise<boolean>
}

export class MissingBaseImage extends BuildError {
  readonly base: BaseImage

  constructor(base: BaseImage, problem = 'it could not be prepared') {
    super(`The base image ${base.reference} is missing: ${problem}`)
    this.base = base
  }
}

const compilersRetryMs = 600_000

export function createBaseImageCheck(options: {
  engine: ContainerEngine
  images: Pick<BaseImages, 'compilers'>
  run: Run
  npmRegistry?: string | undefined
  now?: () => Date
}): BaseImageCheck {
  const { engine, images, run, npmRegistry, now = () => new Date() } = options
  // Serialized so that two builds do not build the same image twice.
  let tail: Promise<unknown> = Promise.resolve()
  const compilersFailed = new Map<string, { at: number; problem: string }>()

  const serialized = async <T>(task: Task, work: (log: (line: string) => void) => Promise<T>): Promise<T> => {
    const mine = tail.then(() => work((line) => task.onLog(`${line}\n`)))
    tail = mine.catch(() => {}) // `mine` carries the failure; the next build tries again
    const result = await mine
    task.signal.throwIfAborted()
    return result
  }
  const ensureBase = async (base: BaseImage, log: (line: string) => void) => {
    if (await engine.findImage(base.reference)) return
    const [prepared] = await prepareBaseImages({ engine, bases: [base], log, run, npmRegistry })
    if (prepared?.outcome === 'failed') throw new MissingBaseImage(base, prepared.problem)
  }
  const tryCompilers = async (reference: string, node: BaseImage, log: (line: string) => void) => {
    const failed = compilersFailed.get(reference)
    if (failed && now().getTime() - failed.at <= compilersRetryMs) return
    try {
      await prepareCompilers({ engine, run, log, now }, reference, node.reference)
      compilersFailed.delete(reference)
    } catch (error) {
      compilersFailed.set(reference, { at: now().getTime(), problem: messageOf(error) })
    }
  }
  return {
    async ensure(bases, task) {
      for (const base of bases) await serialized(task, (log) => ensureBase(base, log))
    },
    async ensureCompilers(node, task) {
      const reference = images.compilers?.(node)
      if (reference === undefined) return false
      await serialized(task, (log) => tryCompilers(reference, node, log))
      const failed = compilersFailed.get(reference)
      if (failed)
        task.onLog(
          `Note: The compilers image is unavailable, so packages with native code cannot be installed: ${failed.problem}\n`
        )
      return failed === undefined
    }
  }
}
