import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { LogChunk, LogStart } from './container-engine.ts'
import type { EngineCall, TimeLimits } from './docker-call.ts'
import { createLogPieces, sinceFor } from './docker-log-pieces.ts'
import { unavailable } from './engine-unavailable.ts'

interface Options {
  call: EngineCall
  limits: TimeLimits
}

export async function* followLogs(
  options: Options,
  id: string,
  { tail, after }: LogStart,
  signal: AbortSignal
): AsyncGenerator<LogChunk> {
  const pieces = createLogPieces(after)
  for (let from = after; ; from = pieces.restart()) {
    const query = {
      ...{ follow: true, stdout: true, stderr: true, timestamps: true, tail: from ? 'all' : tail },
      ...(from ? { since: sinceFor(from) } : {})
    }
    yield* readAnswer(options, { path: `/containers/${id}/logs`, query }, pieces, signal)
    if (signal.aborted || !pieces.isRepeating()) return
  }
}

/** The limit covers connecting only: a program may be silent for days. */
async function* readAnswer(
  { call, limits }: Options,
  { path, query }: { path: string; query: Readonly<Record<string, unknown>> },
  pieces: ReturnType<typeof createLogPieces>,
  signal: AbortSignal
): AsyncGenerator<LogChunk> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(unavailable('The container engine is not responding')), limits.ordinary)
  // Back-pressure: at most one read is buffered, so that the engine reads its file at the reader's pace.
  const chunks = new PassThrough({ objectMode: true, highWaterMark: 1 })
  const split = async function* (source: AsyncIterable<Buffer>) {
    for await (const bytes of source) {
      yield* pieces.read(bytes)
      if (pieces.isRepeating()) return
    }
  }
  const reading = call(
    Number.POSITIVE_INFINITY,
    async (engine) => {
      const stream: Readable = await engine.open('GET', path, { query })
      clearTimeout(timer)
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
    stop.abort(new Error('the log reader disconnected'))
    chunks.destroy()
  }
}
