import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { threadScript, WorkerThreadError } from '../infra/worker-thread/worker-thread.ts'
import { createThreadPool } from '../concurrency/thread-pool.ts'
import { callerKey } from './admission.ts'
import { hasHalf, refusal } from './lone-surrogates.ts'
import { mayHaveHalf, noText, pathOfHalf, textOf } from './json-tree.policy.ts'

/** From here on a body takes longer to be read than all the rest of most requests. */
const largeBytes = 256 * 1024

/** What the thread makes of a body (json-body.worker.ts). */
export type ParsedBody =
  { value: unknown } | { problem: 'MALFORMED_JSON' | 'VALIDATION_ERROR'; message: string } | { pathOfHalf: string }

const largeBodies = createThreadPool<Uint8Array<ArrayBuffer>, ParsedBody>(
  threadScript('./json-body.worker', import.meta.url),
  {
    what: 'large requests',
    answerWithinMs: 10_000
  }
)

/**
 * JSON only: Fastify would also take text/plain, which a foreign page can send without a preflight. An empty body is no body,
 * since clients announce JSON on a POST without one.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  // Keys that would change what objects inherit go, as all members do that nobody asks for.
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
      const path = error === null && mayHaveHalf(body) ? pathOfHalf(value) : undefined
      if (path === undefined) done(error, value)
      else done(halfIn(path))
    })
  })
}

const halfIn = (path: string): AppError => refusal(path === '' ? 'the body' : path, hasHalf, path)

/** The bytes are the thread's from then on: not even a copy of them is made here. */
async function parseLarge(key: string, bytes: Buffer<ArrayBuffer>): Promise<unknown> {
  const parsed = await largeBodies.run(key, bytes, [bytes.buffer]).catch((cause: unknown) => {
    throw cause instanceof WorkerThreadError
      ? new AppError('VALIDATION_ERROR', 'The body could not be read: it is too complex', { cause })
      : cause
  })
  if ('pathOfHalf' in parsed) throw halfIn(parsed.pathOfHalf)
  if ('problem' in parsed) throw new AppError(parsed.problem, parsed.message)
  return parsed.value
}
