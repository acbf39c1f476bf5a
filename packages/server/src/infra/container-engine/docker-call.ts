import { Agent } from 'node:http'
import { AdapterError } from '../adapter-error.ts'
import { EngineError } from './container-engine.ts'
import { createEngineConnection, type EngineConnection } from './docker-connection.ts'
import { unavailable } from './engine-unavailable.ts'
import { deadlineOfWork } from './patience.ts'

/** Milliseconds that a call may take; the build alone has no limit but its caller's signal. */
export interface TimeLimits {
  /** Questions that the engine answers from memory. */
  short: number
  /** Lists and inspections. */
  ordinary: number
  /** What touches disk, processes or network devices. */
  long: number
  /** A pull or an import that moves no data for so long. */
  idle: number
}

export const defaultTimeLimits: TimeLimits = { short: 10_000, ordinary: 30_000, long: 60_000, idle: 300_000 }

interface CallOptions {
  /** Ends the call at once; it then rejects with the signal's reason. */
  signal?: AbortSignal
}

/**
 * Runs one conversation with the engine within `limitMs`. `keepAlive` starts the limit anew: for conversations that may be
 * long but never silent. Work with a deadline of its own (patience.ts) is kept waiting for the first word until then. Rejects with AdapterError
 * container-engine-unavailable or EngineError.
 */
export type EngineCall = <T>(
  limitMs: number,
  conversation: (engine: EngineConnection, keepAlive: () => void) => Promise<T>,
  options?: CallOptions
) => Promise<T>

/**
 * Each call has an agent of its own. Destroying it closes the call's sockets whatever it is waiting for, and no pooled socket outlives
 * a restart of the engine.
 */
export function createEngineCall(socketPath: string): EngineCall {
  return async (limitMs, conversation, options = {}) => {
    const deadline = deadlineOfWork()
    const signals = [options.signal, deadline].filter((each) => each !== undefined)
    const signal = signals.length > 0 ? AbortSignal.any(signals) : undefined
    signal?.throwIfAborted()
    const agent = new Agent({ keepAlive: false })
    const engine = createEngineConnection(socketPath, agent)
    let timer: NodeJS.Timeout | undefined
    let onAbort: (() => void) | undefined
    let hasMoved = false
    const keepAlive = () => {
      hasMoved = true
      timer?.refresh()
    }
    const ended = new Promise<never>((_, reject) => {
      const outOfTime = () => {
        if (!deadline || hasMoved)
          reject(unavailable('The container engine does not answer', { reason: `${socketPath}: no answer in time` }))
      }
      if (Number.isFinite(limitMs)) timer = setTimeout(outOfTime, limitMs)
      onAbort = () => reject(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
    try {
      return await Promise.race([conversation(engine, keepAlive), ended])
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw translated(error, socketPath)
    } finally {
      clearTimeout(timer)
      if (onAbort) signal?.removeEventListener('abort', onAbort)
      agent.destroy()
    }
  }
}

/** Waits for a call that may find its work done already: those answers of the engine count as success. */
export async function ignoringStatuses(statuses: readonly number[], work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof EngineError) || !statuses.includes(error.status)) throw error
  }
}

/** The answer, or undefined when the engine does not know the object. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof EngineError && error.status === 404) return undefined
    throw error
  }
}

function translated(error: unknown, socketPath: string): unknown {
  if (error instanceof AdapterError || error instanceof EngineError || !(error instanceof Error)) return error
  if (error instanceof TypeError || error instanceof RangeError) return error // Our own mistake, whatever code it has.
  if (error instanceof SyntaxError)
    return unavailable('What answers is no container engine', { cause: error, reason: socketPath })
  // Everything that has a code comes from the socket or from the HTTP parser: the engine is away, restarting or no engine.
  if ('code' in error) {
    return unavailable('The container engine cannot be reached just now; try again later', {
      cause: error,
      reason: `${socketPath} (${String(error.code)})`
    })
  }
  return error
}
