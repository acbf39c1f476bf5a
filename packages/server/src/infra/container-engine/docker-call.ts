import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import { EngineError } from './container-engine.ts'
import { createEngineConnection, type EngineConnection } from './docker-connection.ts'
import { unavailable } from './engine-unavailable.ts'
import { deadlineOfWork } from './patience.ts'

/** Time limits in milliseconds. Builds are limited only by their signal. */
export interface TimeLimits {
  short: number
  ordinary: number
  long: number
  /** Longest pause of a pull or import without data. */
  idle: number
}

export const defaultTimeLimits: TimeLimits = { short: 10_000, ordinary: 30_000, long: 60_000, idle: 300_000 }

interface CallOptions {
  signal?: AbortSignal
  /** While it is true, the limit does not apply: the engine waits for us. */
  isAwaitingInput?: () => boolean
}

/**
 * Runs one conversation with the engine within `limitMs`. `keepAlive` restarts the limit, for long conversations that
 * are never silent. Work with its own deadline (patience.ts) waits for the first response until that deadline, if the
 * engine is one to be waited for. Rejects with AdapterError container-engine-unavailable or EngineError.
 */
export type EngineCall = <T>(
  limitMs: number,
  conversation: (engine: EngineConnection, keepAlive: () => void) => Promise<T>,
  options?: CallOptions
) => Promise<T>

/** A path, or how to get it: the socket of another machine has one while there is a connection. */
export type EngineSocket = string | (() => Promise<string>)

export const pathOf = async (socket: EngineSocket): Promise<string> =>
  typeof socket === 'string' ? socket : await socket()

interface PatienceOptions {
  /**
   * Whether work with its own deadline waits for the engine until then. Otherwise calls fail at once after one was not answered in
   * time, until the engine answers again: each would wait for its own limit.
   */
  isPatient?: boolean | undefined
  pingMs?: number
}

/** One agent per call: destroying it closes the sockets, and none survives a restart of the engine. */
export function createEngineCall(
  socket: EngineSocket,
  { isPatient = true, pingMs = defaultTimeLimits.short }: PatienceOptions = {}
): EngineCall {
  let isHanging = false
  const notResponding = (reason: string) => unavailable('The container engine is not responding', { reason })
  async function waitForAnswer(): Promise<void> {
    isHanging = true
    for (let isOutOfTime = true; isOutOfTime;) {
      isOutOfTime = false
      const outOfTime = () => void (isOutOfTime = true)
      const ping = attempt(pingMs, (engine) => engine.ask('GET', '/version'), { outOfTime })
      await ping.catch(() => {}) // Without a connection to it, calls fail at once anyway.
      if (isOutOfTime) await sleep(pingMs, undefined, { ref: false })
    }
    isHanging = false
  }
  const attempt = async <T>(
    limitMs: number,
    conversation: (engine: EngineConnection, keepAlive: () => void) => Promise<T>,
    options: CallOptions & { outOfTime?: () => void }
  ): Promise<T> => {
    const deadline = deadlineOfWork()
    const signals = [options.signal, deadline].filter((each) => each !== undefined)
    const signal = signals.length > 0 ? AbortSignal.any(signals) : undefined
    signal?.throwIfAborted()
    const agent = new Agent({ keepAlive: false })
    let socketPath = ''
    const converse = async () => {
      socketPath = await pathOf(socket)
      return conversation(createEngineConnection(socketPath, agent), keepAlive)
    }
    let timer: NodeJS.Timeout | undefined
    let onAbort: (() => void) | undefined
    let hasMoved = false
    const keepAlive = () => {
      hasMoved = true
      timer?.refresh()
    }
    const ended = new Promise<never>((_, reject) => {
      const outOfTime = () => {
        if (options.isAwaitingInput?.()) timer?.refresh()
        else if (!isPatient || !deadline || hasMoved) {
          options.outOfTime?.()
          reject(notResponding(`${socketPath}: timed out`))
        }
      }
      if (Number.isFinite(limitMs)) timer = setTimeout(outOfTime, limitMs)
      onAbort = () => reject(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
    try {
      return await Promise.race([converse(), ended])
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw translated(error, socketPath)
    } finally {
      clearTimeout(timer)
      if (onAbort) signal?.removeEventListener('abort', onAbort)
      agent.destroy()
    }
  }
  if (isPatient) return (limitMs, conversation, options = {}) => attempt(limitMs, conversation, options)
  const outOfTime = () => {
    if (!isHanging) void waitForAnswer()
  }
  return async (limitMs, conversation, options = {}) => {
    if (isHanging) throw notResponding('an earlier call timed out')
    return attempt(limitMs, conversation, { ...options, outOfTime })
  }
}

export async function ignoringStatuses(statuses: readonly number[], work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof EngineError) || !statuses.includes(error.status)) throw error
  }
}

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
  if (error instanceof TypeError || error instanceof RangeError) return error // programming errors, even with a `code`
  if (error instanceof SyntaxError)
    return unavailable('The configured socket is not a container engine', { cause: error, reason: socketPath })
  // Errors with a code come from the socket or the HTTP parser: the engine is down, restarting or not an engine.
  if ('code' in error) {
    return unavailable('The container engine is unreachable. Try again later.', {
      cause: error,
      reason: `${socketPath} (${String(error.code)})`
    })
  }
  return error
}
