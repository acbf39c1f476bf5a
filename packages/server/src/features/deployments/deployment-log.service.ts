import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../message-of.ts'
import { createMasker, createStreamMasker } from './secret-masker.policy.ts'
import { appendLog } from './deployments.repository.ts'

const flushAfterMs = 250
const chunkCharacters = 16 * 1024
const maxCharacters = 8 * 1024 * 1024

/** Appends to a deployment's log as lines come, in batches. Secrets are masked before anything is stored. */
export interface DeploymentLog {
  /** Output of a program, up to the limit. */
  write(text: string): void
  /** A sentence of ours, on a line of its own; it is written also when the log is full. */
  line(text: string): void
  /** As line, but at once and in the caller's transaction; close first, so that it comes after what was written before. */
  lastLine(trx: Transaction, text: string): Promise<void>
  /** From here on these are masked, in place of those before. */
  hide(secrets: readonly string[]): void
  /** Writes out what is buffered. */
  close(): Promise<void>
}

export function openDeploymentLog(deps: Pick<Dependencies, 'db' | 'logger'>, deploymentId: string): DeploymentLog {
  let pending = ''
  let written = 0
  let isFull = false
  let isInLine = false
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = pending
    pending = ''
    flushing = flushing
      .then(async () => {
        for (const chunk of chunksOf(text)) await appendLog(deps.db, deploymentId, chunk)
      })
      .catch((error: unknown) =>
        deps.logger.warn({ error: messageOf(error), deployment: deploymentId }, 'deployment log lost a chunk')
      )
  }
  const append = (text: string) => {
    if (text === '') return
    isInLine = !text.endsWith('\n')
    pending += storable(text)
    if (pending.length >= chunkCharacters) flush()
    else timer ??= setTimeout(flush, flushAfterMs)
  }
  const appendOutput = (text: string) => {
    if (isFull) return
    written += text.length
    isFull = written > maxCharacters
    append(isFull ? '\n[the log is longer than 8 MiB; what follows is left out]\n' : text)
  }
  let mask = createMasker([])
  let masker = createStreamMasker([], appendOutput)
  const onOwnLine = (text: string) => `${isInLine ? '\n' : ''}${mask(text)}\n`
  return {
    write: (text) => masker.write(text),
    line(text) {
      masker.end()
      append(onOwnLine(text))
    },
    async lastLine(trx, text) {
      for (const chunk of chunksOf(storable(onOwnLine(text)))) await appendLog(trx, deploymentId, chunk)
    },
    hide(secrets) {
      masker.end()
      mask = createMasker(secrets)
      masker = createStreamMasker(secrets, appendOutput)
    },
    async close() {
      masker.end()
      flush()
      await flushing
    }
  }
}

/** PostgreSQL's text holds every character but NUL, and no lone surrogate. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Pieces of a size that is quick to append; never cut between the halves of a surrogate pair. */
function* chunksOf(text: string): Generator<string> {
  for (let from = 0, to; from < text.length; from = to) {
    to = Math.min(from + chunkCharacters, text.length)
    if (to < text.length && text.codePointAt(to - 1)! > 0xffff) to++
    yield text.slice(from, to)
  }
}
