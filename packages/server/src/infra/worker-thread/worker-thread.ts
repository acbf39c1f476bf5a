import { extname } from 'node:path'
import { Worker, type Transferable } from 'node:worker_threads'

/** The worker took too long, needed too much, or failed. */
export class WorkerThreadError extends Error {
  constructor(cause?: unknown) {
    super('the worker did not come to an end', cause === undefined ? undefined : { cause })
    this.name = 'WorkerThreadError'
  }
}

export interface ThreadOptions {
  /** From the first request that waits to its answer, or the thread is ended. */
  answerWithinMs: number
  /** Default 128 MB, without what it holds in typed arrays and buffers. */
  maxMemoryMb?: number
}

/** A thread that answers requests in their order (serve-requests.mjs). */
export interface Thread<Request, Answer> {
  /** Rejects with WorkerThreadError once the thread has ended, for whatever reason. What is in `transfer` is the thread's from then on. */
  ask(request: Request, transfer?: readonly Transferable[]): Promise<Answer>
  close(): Promise<void>
}

/** The script of a thread: `name` beside the module that asks, with its extension, since sources run as well as what is built from them. */
export const threadScript = (name: string, from: string): URL => new URL(`${name}${extname(from)}`, from)

/** Node 20 reads TypeScript only by a loader, of which the sources are run in tests: a thread has to register its own. */
function loadableScript(script: URL): URL {
  if (!script.pathname.endsWith('.ts')) return script
  const loader = import.meta.resolve('tsx/esm/api')
  const text = `import { register } from '${loader}'; register(); await import('${script.href}')`
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

/** A thread for which there is no room (memory, file descriptors) is an error of that call. */
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
    // Who waits for nothing keeps no process alive.
    if (waiting.length === 0) return void worker.unref()
    worker.ref()
    timer = setTimeout(() => void end(new Error(`no answer within ${answerWithinMs} ms`)), answerWithinMs)
  }
  worker.on('message', (answer: Answer) => {
    waiting.shift()?.resolve(answer)
    watch()
  })
  worker.on('error', (error) => void end(error))
  worker.on('exit', (code) => void end(new Error(`the thread ended with ${code}`)))
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

/**
 * Runs a script on text that a stranger wrote, in a thread of its own that is ended when its time is over: the first message that it posts is
 * the result. Rejects with WorkerThreadError.
 */
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
