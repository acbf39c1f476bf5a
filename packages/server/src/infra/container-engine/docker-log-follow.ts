import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { LogChunk, LogStart } from './container-engine.ts'
import type { EngineCall, TimeLimits } from './docker-call.ts'
import { createLogPieces, secondsOf } from './docker-log-pieces.ts'
import { unavailable } from './engine-unavailable.ts'

/** See ContainerEngine.followLogs. The limit is that of the connection: a program may be silent for days. */
export async function* followLogs(
  { call, limits }: { call: EngineCall; limits: TimeLimits },
  id: string,
  { tail, after }: LogStart,
  signal: AbortSignal
): AsyncGenerator<LogChunk> {
  const query = {
    ...{ follow: true, stdout: true, stderr: true, timestamps: true, tail: after ? 'all' : tail },
    ...(after ? { since: secondsOf(after.time) } : {})
  }
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(unavailable('The container engine does not answer')), limits.ordinary)
  const pieces = createLogPieces(after)
  // No more than one read waits here: the engine reads its file as fast as the reader does.
  const chunks = new PassThrough({ objectMode: true, highWaterMark: 1 })
  const reading = call(
    Number.POSITIVE_INFINITY,
    async (engine) => {
      const stream: Readable = await engine.open('GET', `/containers/${id}/logs`, { query })
      clearTimeout(timer)
      const split = async function* (source: AsyncIterable<Buffer>) {
        for await (const bytes of source) yield* pieces(bytes)
      }
      await pipeline(stream, split, chunks)
    },
    { signal: AbortSignal.any([signal, stop.signal]) }
  )
  reading.catch((error: Error) => chunks.destroy(error))
  try {
    yield* chunks as AsyncIterable<LogChunk>
    await reading
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    clearTimeout(timer)
    stop.abort(new Error('nobody reads the log any more'))
    chunks.destroy()
  }
}
