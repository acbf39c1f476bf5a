import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { threadScript, WorkerThreadError } from '../infra/worker-thread/worker-thread.ts'
import { createThreadPool } from '../concurrency/thread-pool.ts'
import { callerKey } from './admission.ts'
import { loneSurrogate, refusal } from './lone-surrogates.ts'
import { mayHaveLoneSurrogate, noText, pathOfLoneSurrogate, textOf } from './json-tree.policy.ts'

/** Larger bodies are parsed in a worker thread to keep the event loop free. */
const largeBytes = 256 * 1024

/** Result of the worker thread (json-body.worker.ts). */
export type ParsedBody =
  | { value: unknown }
  | { problem: 'MALFORMED_JSON' | 'VALIDATION_ERROR'; message: string }
  | { pathOfLoneSurrogate: string }

const largeBodies = createThreadPool<Uint8Array<ArrayBuffer>, ParsedBody>(
  threadScript('./json-body.worker', import.meta.url),
  {
    what: 'large requests',
    answerWithinMs: 10_000
  }
)

/**
 * JSON only: Fastify also accepts text/plain, which foreign pages can send without a preflight. An empty body counts as
 * no body, since clients send the JSON content type on a POST without one.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  // Drop `__proto__` and `constructor` (prototype pollution), like all unknown members.
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, content, done) => {
    const bytes = content as Buffer<ArrayBuffer>
    if (bytes.length === 0) return done(null, undefined)
    if (bytes.length >= largeBytes)
      return void parseLarge(callerKey(request), bytes).then(
        (value) => done(null, value),
        (error: Error) => done(error)
      )
    const body = textOf(bytes)
    if (body === undefined) return done(new AppError(...noText))
    void parse(request, body, (error, value) => {
      const path = error === null && mayHaveLoneSurrogate(body) ? pathOfLoneSurrogate(value) : undefined
      if (path === undefined) done(error, value)
      else done(loneSurrogateIn(path))
    })
  })
}

const loneSurrogateIn = (path: string): AppError => refusal(path === '' ? 'the body' : path, loneSurrogate, path)

/** Transfers the bytes to the worker thread without a copy. */
async function parseLarge(key: string, bytes: Buffer<ArrayBuffer>): Promise<unknown> {
  const parsed = await largeBodies.run(key, bytes, [bytes.buffer]).catch((cause: unknown) => {
    throw cause instanceof WorkerThreadError
      ? new AppError('VALIDATION_ERROR', 'The request body is too complex to parse.', { cause })
      : cause
  })
  if ('pathOfLoneSurrogate' in parsed) throw loneSurrogateIn(parsed.pathOfLoneSurrogate)
  if ('problem' in parsed) throw new AppError(parsed.problem, parsed.message)
  return parsed.value
}
