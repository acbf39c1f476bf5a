import { Worker } from 'node:worker_threads'

/** The worker took too long, needed too much, or failed. */
export class WorkerThreadError extends Error {
  constructor(cause?: unknown) {
    super('the worker did not come to an end', cause === undefined ? undefined : { cause })
    this.name = 'WorkerThreadError'
  }
}

const maxMemoryMb = 128

/**
 * Runs a script on text that a stranger wrote, in a thread of its own that is ended when its time is over: the first message that it posts is
 * the result. Rejects with WorkerThreadError.
 */
export async function runInWorkerThread<T>(script: URL, data: unknown, timeoutMs: number): Promise<T> {
  const worker = startWorkerThread(script, data)
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

function startWorkerThread(script: URL, workerData: unknown): Worker {
  try {
    return new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb }, env: {} })
  } catch (cause) {
    throw new WorkerThreadError(cause)
  }
}
