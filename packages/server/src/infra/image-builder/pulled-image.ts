import { arch } from 'node:os'
import type { FailureCode } from '@panel/contract/failure-texts'
import { messageOf } from '../../text/message-of.ts'
import { type ContainerEngine, EngineError } from '../container-engine/container-engine.ts'
import type { PullOptions } from '../container-engine/engine-images.ts'
import { imageProblem } from './external-images.ts'
import { BuildError, type BuildTask } from './image-builder.ts'

type Engine = Pick<ContainerEngine, 'findImage' | 'pullImage' | 'removeImage'>

/** An image by its digest. The registry has confirmed that the account may read it. */
export interface PulledImage {
  reference: string
  login: PullOptions['login']
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

/** In the words of Go, as images name it. */
export const ownArchitecture: string = architectures[arch()] ?? arch()

/**
 * Images are only on the engine by their digest while a build needs them, so that no Dockerfile of another account can
 * use a private one by its name.
 */
export function createPulledImages(engine: Engine) {
  const users = new Map<string, number>()
  return async <T>(
    image: PulledImage,
    task: Pick<BuildTask, 'signal' | 'onLog'>,
    build: () => Promise<T>
  ): Promise<T> => {
    const { reference } = image
    users.set(reference, (users.get(reference) ?? 0) + 1)
    try {
      await pull(engine, image, task)
      return await build()
    } finally {
      const others = users.get(reference)! - 1
      if (others > 0) users.set(reference, others)
      else {
        users.delete(reference)
        // Removes the name only: what was built on the image keeps its layers.
        await engine.removeImage(reference).catch((error: unknown) => {
          if (!(error instanceof EngineError)) throw error
        })
      }
    }
  }
}

async function pull(engine: Engine, { reference, login }: PulledImage, task: Pick<BuildTask, 'signal' | 'onLog'>) {
  task.onLog(`Pulling ${reference}\n`)
  try {
    await engine.pullImage(reference, (text) => task.signal.aborted || task.onLog(text), { login, signal: task.signal })
  } catch (cause) {
    task.signal.throwIfAborted()
    if (!(cause instanceof EngineError)) throw cause
    throw pullProblem(reference, cause)
  }
  const image = await engine.findImage(reference)
  if (!image) throw new BuildError({ code: 'IMAGE_GONE_AGAIN', values: { reference } })
  if (image.architecture !== ownArchitecture) throw otherPlatform(reference)
  const code = imageProblem(image, reference)
  if (code !== undefined) throw new BuildError({ code, values: { reference } })
}

const otherPlatform = (reference: string) =>
  new BuildError({ code: 'IMAGE_OTHER_PLATFORM', values: { reference, platform: `linux/${ownArchitecture}` } })

const pullProblems: readonly [RegExp, FailureCode][] = [
  [/toomanyrequests|rate limit/i, 'REGISTRY_RATE_LIMITED'],
  [/unauthorized|authentication required|incorrect username/i, 'REGISTRY_LOGIN_REFUSED']
]

function pullProblem(reference: string, cause: EngineError): BuildError {
  if (/no matching manifest|does not match the specified platform/i.test(cause.message)) return otherPlatform(reference)
  const host = reference.slice(0, reference.indexOf('/'))
  const code = pullProblems.find(([pattern]) => pattern.test(cause.message))?.[1]
  return code === undefined
    ? new BuildError({ code: 'IMAGE_NOT_PULLED', values: { reference, problem: messageOf(cause) } }, { cause })
    : new BuildError({ code, values: { host } }, { cause })
}
