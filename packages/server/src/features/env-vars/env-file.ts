import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'

const timeLimitMs = 3_000

export interface EnvEntry {
  key: string
  value: string
}

/** The entries of a raw .env text, read by dotenv. Rejects with VALIDATION_ERROR what takes too long to read. */
export async function readEnvFile(content: string): Promise<EnvEntry[]> {
  const worker = new Worker(new URL('./env-file.worker.mjs', import.meta.url), {
    workerData: content,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
    env: {}
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<EnvEntry[]>((resolve, reject) => {
      const refuse = (cause?: unknown) =>
        reject(
          new AppError('VALIDATION_ERROR', 'The text could not be read as a .env file: it is too complex', { cause })
        )
      timer = setTimeout(refuse, timeLimitMs)
      worker.once('message', resolve)
      worker.once('error', refuse)
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
