import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../errors.ts'
import { createStreamMasker } from '../../infra/image-builder/secret-masker.ts'
import { appendLog } from './deployments.repository.ts'

const flushAfterMs = 250
const chunkCharacters = 16 * 1024
const maxCharacters = 8 * 1024 * 1024

/** Appends to a deployment's log as lines come, in batches. Secrets are masked before anything is stored. */
export interface DeploymentLog {
  write(text: string): void
  line(text: string): void
  /** Writes out what is buffered. */
  close(): Promise<void>
}

export function openDeploymentLog(
  deps: Pick<Dependencies, 'db' | 'logger'>,
  deploymentId: string,
  secrets: readonly string[]
): DeploymentLog {
  let pending = ''
  let written = 0
  let isFull = false
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = pending
    pending = ''
    flushing = flushing
      .then(async () => {
        for (let from = 0; from < text.length; from += chunkCharacters) {
          await appendLog(deps.db, deploymentId, text.slice(from, from + chunkCharacters))
        }
      })
      .catch((error: unknown) =>
        deps.logger.warn({ error: messageOf(error), deployment: deploymentId }, 'deployment log lost a chunk')
      )
  }
  const add = (text: string) => {
    if (isFull || text === '') return
    written += text.length
    if (written > maxCharacters) {
      isFull = true
      text = '\n[the log is longer than 8 MiB; what follows is left out]\n'
    }
    // PostgreSQL's text holds every character but NUL, and no lone surrogate.
    pending += text.replaceAll('\0', '').toWellFormed()
    if (pending.length >= chunkCharacters) flush()
    else timer ??= setTimeout(flush, flushAfterMs)
  }
  const masker = createStreamMasker(secrets, add)
  return {
    write: (text) => masker.write(text),
    line: (text) => masker.write(`${text}\n`),
    async close() {
      isFull = false
      masker.end()
      flush()
      await flushing
    }
  }
}
