import { Readable, Transform } from 'node:stream'
import type { EngineCall, TimeLimits } from './docker-call.ts'
import { readProgress } from './docker-progress.ts'

type Query = Readonly<Record<string, unknown>>

interface TransferDependencies {
  call: EngineCall
  limits: TimeLimits
}

/** Sends a tar, which is destroyed at the end. */
export async function sendTar(
  { call, limits }: TransferDependencies,
  tar: Readable,
  { path, query }: { path: string; query: Query }
): Promise<void> {
  const stop = new AbortController()
  tar.on('error', (error) => stop.abort(error))
  let meter: Transform | undefined
  const work = call(
    limits.idle,
    async (engine, keepAlive) => {
      // A 'data' listener on `tar` would start the flow before the request is sent.
      meter = new Transform({
        transform(chunk, _encoding, done) {
          keepAlive()
          done(null, chunk)
        }
      })
      const answer = await engine.open('POST', path, { query, body: tar.pipe(meter) })
      await readProgress(answer, keepAlive)
    },
    {
      signal: stop.signal,
      // The program that makes the tar may work for minutes before its first byte, within a limit of its own.
      isAwaitingInput: () => meter?.readableLength === 0 && !meter.writableEnded
    }
  )
  await work.finally(() => tar.destroy())
}

/** Receives a tar. Rejects with EngineError 404 if the engine has none there. `limitMs`: of a pause. */
export async function receiveTar<T>(
  call: EngineCall,
  limitMs: number,
  { path, query = {} }: { path: string; query?: Query },
  read: (tar: Readable) => Promise<T>
): Promise<T> {
  const result = await call(limitMs, async (engine, keepAlive) => {
    const tar = await engine.open('GET', path, { query })
    const chunks = async function* () {
      for await (const chunk of tar as AsyncIterable<Buffer>) {
        keepAlive()
        yield chunk
      }
    }
    // An error of the reader must not be taken for one of the engine.
    return read(Readable.from(chunks(), { objectMode: false })).then(
      (value) => ({ value }),
      (error: unknown) => ({ error })
    )
  })
  if ('error' in result) throw result.error
  return result.value
}
