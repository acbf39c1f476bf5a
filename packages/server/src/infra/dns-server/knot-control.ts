import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { ProcessError, type Run } from '../process/process.ts'

interface KnotControlOptions {
  socket: string
  run: Run
  /** For each command; whole seconds. */
  timeoutMs: number
  /** Whether a command resolves when it has been carried out, and not when it has been taken. Default true. Meanwhile no other has a turn. */
  isWaiting?: boolean
}

/** Sends one command to the running server and resolves with its answer. Rejects with AdapterError name-server-unavailable, see isNoSuchZone. */
export type KnotControl = (...args: readonly [string, ...string[]]) => Promise<string>

/** The server, or knotc for it, answered that it did not do what was asked for. */
class KnotRefusal extends Error {
  readonly #output: string

  constructor(stderr: string, output: string) {
    // What succeeded may be long, and stands before.
    const complaints = [stderr.trim(), ...(output.match(/^error: .*$/gm) ?? [])].filter((line) => line !== '')
    super(complaints.join('\n').slice(0, 2_000) || 'knotc failed')
    this.name = 'KnotRefusal'
    this.#output = output
  }

  /** What it could do of it. A method, so that no log prints it. */
  partialAnswer(): string {
    return this.#output
  }
}

/** Whether the server answers that it does not know a zone: one that is in no catalog which it has read. */
export const isNoSuchZone = (error: unknown): boolean => refusalIn(error)?.message.includes('no such zone') ?? false

/** What a command on all zones has answered for those with which it succeeded; rethrows what is no answer. */
export function partialAnswer(error: unknown): string {
  const refusal = refusalIn(error)
  if (refusal?.message.includes('failed for some zones') !== true) throw error
  return refusal.partialAnswer()
}

// The server's socket queues some five connections and refuses the next. Per process; whoever is refused, also by others, tries again.
const concurrentCommands = 3
const refusedConnection = 'OS lacked necessary resources'
const retryMs = 20

export function createKnotControl({ socket, run, timeoutMs, isWaiting = true }: KnotControlOptions): KnotControl {
  const limited = createSemaphore(concurrentCommands)
  let lastTimeout: { at: number; error: AdapterError } | undefined

  const send = async (args: readonly string[]): Promise<string> => {
    const output = collect()
    const seconds = String(Math.max(1, Math.ceil(timeoutMs / 1000)))
    try {
      // Its own limit first, so that it can say which.
      const limits = { timeoutMs: timeoutMs + 2_000, stdout: output.stream }
      await run(['knotc', '-s', socket, ...(isWaiting ? ['-b'] : []), '-t', seconds, ...args], limits)
      return output.text()
    } catch (error) {
      if (!(error instanceof ProcessError) || error.reason !== 'failed') throw error
      throw new KnotRefusal(error.stderr, output.text())
    }
  }
  const sendWhenFree = async (args: readonly string[]): Promise<string> => {
    for (const deadline = performance.now() + timeoutMs; ; await sleep(retryMs)) {
      try {
        return await send(args)
      } catch (cause) {
        const isBusy = cause instanceof KnotRefusal && cause.message.includes(refusedConnection)
        if (isBusy && performance.now() < deadline) continue
        throw new AdapterError(
          'name-server-unavailable',
          'The name server does not answer or does not do what it is told',
          {
            cause
          }
        )
      }
    }
  }
  return async (...args) => {
    const requestedAt = performance.now()
    return limited(async () => {
      // Who has waited behind a command that ran out of time has waited long enough.
      if (lastTimeout && lastTimeout.at > requestedAt) throw lastTimeout.error
      try {
        return await sendWhenFree(args)
      } catch (error) {
        if (error instanceof AdapterError && isTimeout(error.cause)) lastTimeout = { at: performance.now(), error }
        throw error
      }
    })
  }
}

const refusalIn = (error: unknown): KnotRefusal | undefined =>
  error instanceof AdapterError && error.cause instanceof KnotRefusal ? error.cause : undefined

const isTimeout = (cause: unknown): boolean =>
  (cause instanceof ProcessError && cause.reason === 'timeout') ||
  (cause instanceof KnotRefusal && /timeout|OS lacked/.test(cause.message))

/** Standard output of a program, also of one that failed, which our Run does not keep. */
export function collect(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    }
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}
