import { extname } from 'node:path'
import { Worker, type Transferable } from 'node:worker_threads'

export class WorkerThreadError extends Error {
  constructor(cause?: unknown) {
    super('the worker thread did not finish', cause === undefined ? undefined : { cause })
    this.name = 'WorkerThreadError'
  }
}

export interface ThreadOptions {
  /** Limit per request, from when it is first in line; the thread is terminated after it. */
  answerWithinMs: number
  /** Default 128 MB, without typed arrays and buffers. */
  maxMemoryMb?: number
}

export interface Thread<Request, Answer> {
  /** Rejects with WorkerThreadError once the thread has ended. `transfer` is moved to the thread. */
  ask(request: Request, transfer?: readonly Transferable[]): Promise<Answer>
  close(): Promise<void>
}

/** A script next to the calling module with its extension: .ts from source, .js after the build. */
export const threadScript = (name: string, from: string): URL => new URL(`${name}${extname(from)}`, from)

/** Node 20 loads TypeScript only through a loader, which each thread must register itself (tests run from source). */
function loadableScript(script: URL): URL {
  if (!script.pathname.endsWith('.ts')) return script
  const loader = import.meta.resolve('tsx/esm/api')
  const text = `import { register } from '${loader}'; register(); await import('${script.href}')`
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

function startWorker(script: URL, data: unknown, maxMemoryMb = 128): Worker {
  try {
    return new Worker(loadableScript(script), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
      ...(script.pathname.endsWith('.ts') ? { execArgv: ['--conditions', 'source'] } : {}),
      env: {}
    })
  } catch (cause) {
    throw new WorkerThreadError(cause)
  }
}

export function openThread<Request, Answer>(
  script: URL,
  data: unknown,
  { answerWithinMs, maxMemoryMb }: ThreadOptions
): Thread<Request, Answer> {
  const worker = startWorker(script, data, maxMemoryMb)
  const waiting: { resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = []
  let timer: NodeJS.Timeout | undefined
  let ended: WorkerThreadError | undefined

  const end = (cause?: unknown) => {
    ended ??= new WorkerThreadError(cause)
    clearTimeout(timer)
    for (const { reject } of waiting.splice(0)) reject(ended)
    return worker.terminate()
  }
  const watch = () => {
    clearTimeout(timer)
    // An idle thread must not keep the process alive.
    if (waiting.length === 0) return void worker.unref()
    worker.ref()
    timer = setTimeout(() => void end(new Error(`no response within ${answerWithinMs} ms`)), answerWithinMs)
  }
  worker.on('message', (answer: Answer) => {
    waiting.shift()?.resolve(answer)
    watch()
  })
  worker.on('error', (error) => void end(error))
  worker.on('exit', (code) => void end(new Error(`the thread exited with ${code}`)))
  worker.unref()
  return {
    ask(request, transfer = []) {
      if (ended) return Promise.reject(ended)
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        worker.postMessage(request, transfer)
        if (waiting.length === 1) watch()
      })
    },
    async close() {
      await end()
    }
  }
}

/** For untrusted data; the first message is the result. Terminated on timeout. Rejects with WorkerThreadError. */
export async function runInWorkerThread<T>(script: URL, data: unknown, timeoutMs: number): Promise<T> {
  const worker = startWorker(script, data)
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<T>((resolve, reject) => {
      const fail = (cause?: unknown) => reject(new WorkerThreadError(cause))
      timer = setTimeout(fail, timeoutMs)
      worker.once('message', resolve)
      worker.once('error', fail)
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
