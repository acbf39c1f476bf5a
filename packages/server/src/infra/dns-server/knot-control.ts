import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { ProcessError, type Run } from '../process/process.ts'

interface KnotControlOptions {
  socket: string
  run: Run
  timeoutMs: number
  /** Resolve when carried out instead of accepted; blocks other commands. Default true. */
  isWaiting?: boolean
}

/** Resolves with the server's output. Rejects with AdapterError name-server-unavailable. */
export type KnotControl = (...args: readonly [string, ...string[]]) => Promise<string>

class KnotRefusal extends Error {
  readonly #output: string

  constructor(stderr: string, output: string) {
    // stdout may be long and lists successes first.
    const complaints = [stderr.trim(), ...(output.match(/^error: .*$/gm) ?? [])].filter((line) => line !== '')
    super(complaints.join('\n').slice(0, 2_000) || 'knotc failed')
    this.name = 'KnotRefusal'
    this.#output = output
  }

  /** Output for the zones that succeeded. A method, so that loggers do not print it. */
  partialAnswer(): string {
    return this.#output
  }
}

/** Whether the server reports a zone as unknown: it is in no catalog that the server has read. */
export const isNoSuchZone = (error: unknown): boolean => refusalIn(error)?.message.includes('no such zone') ?? false

export function partialAnswer(error: unknown): string {
  const refusal = refusalIn(error)
  if (refusal?.message.includes('failed for some zones') !== true) throw error
  return refusal.partialAnswer()
}

// Knot queues about five control connections and refuses more, also because of other processes: refused commands are
// retried.
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
      // knotc's own timeout fires first, because it names the reason.
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
        throw new AdapterError('name-server-unavailable', 'The name server is not responding', {
          cause
        })
      }
    }
  }
  return async (...args) => {
    const requestedAt = performance.now()
    return limited(async () => {
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

/** Collects stdout, also of a failed program, for which Run does not keep it. */
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
